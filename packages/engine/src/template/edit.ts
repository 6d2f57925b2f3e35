import type { ProcessDocument } from '../process.ts';

/** Kinds of parts of a document, as named in a rejection. */
export type PartKind = 'Phase' | 'Task' | 'Field' | 'Rule' | 'Variable';

/**
 * Why an edit was rejected. `not_found`: `message` is the kind of the missing part. `invalid`: `message` says what is
 * wrong, then what to do, and begins with the path of the field if there is one. A list holds one message per problem.
 */
export type EditRejection =
  | { readonly reason: 'not_found'; readonly message: PartKind }
  | { readonly reason: 'invalid'; readonly message: string | readonly string[] };

/** The result of an edit: the new document and the edited part, or a rejection without any change. */
export type Edited<T> =
  | { readonly document: ProcessDocument; readonly value: T }
  | { readonly rejection: EditRejection };

/** Rejects an edit of a part that the document does not have. */
export function notFound(kind: PartKind): { rejection: EditRejection } {
  return { rejection: { reason: 'not_found', message: kind } };
}

/** Rejects an edit that would make the document invalid. */
export function invalid(message: string | readonly string[]): { rejection: EditRejection } {
  return { rejection: { reason: 'invalid', message } };
}

/** Changes of a part. Undefined leaves a property unchanged. */
export type Changes<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** The part with these changes. */
export function changed<T extends object>(part: T, changes: NoInfer<Changes<T>>): T {
  return { ...part, ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) };
}

/** The marks of fields, and those of flow variables. */
export const marks = { field: ['searchable'], variable: ['searchable', 'required', 'shownToGuests'] } as const;

/** The part with these marks, which are stored only if they are set: documents from before marks have none. */
export function marked<T extends object>(part: T, names: readonly (keyof T & string)[]): T {
  const isUnset = (name: string, value: unknown) => value === false && names.some((each) => each === name);
  return Object.fromEntries(Object.entries(part).filter(([name, value]) => !isUnset(name, value))) as T;
}

/** Replaces the part with the same id, and moves it to `position` if given. A position past the end means the end. */
export function replaced<T extends { readonly id: string }>(list: readonly T[], part: T, position?: number): T[] {
  return position === undefined
    ? list.map((other) => (other.id === part.id ? part : other))
    : without(list, part.id).toSpliced(position, 0, part);
}

/** The list without the part with this id. */
export function without<T extends { readonly id: string }>(list: readonly T[], id: string): T[] {
  return list.filter((part) => part.id !== id);
}

/** The part with this id. */
export function partOf<T extends { readonly id: string }>(list: readonly T[], id: string): T | undefined {
  return list.find((part) => part.id === id);
}
