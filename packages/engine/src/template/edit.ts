import type { ProcessDocument } from '../process.ts';

/** Kinds of parts a document consists of, as a rejection names them. */
export type PartKind = 'Phase' | 'Task' | 'Field' | 'Variable';

/**
 * Why an edit was not made. `not_found`: `message` is the kind of the part that does not exist. `invalid`: it is a sentence that
 * tells the remedy and, where a field of the body is at fault, begins with its path.
 */
export interface EditRefusal {
  readonly reason: 'not_found' | 'invalid';
  readonly message: string;
}

/** What an edit led to: the new document and the part it was about, or a rejection that changed nothing. */
export type Edited<T> = { readonly document: ProcessDocument; readonly value: T } | { readonly rejection: EditRefusal };

/** The rejection of an edit of a part the document does not have. */
export function notFound(kind: PartKind): { rejection: EditRefusal } {
  return { rejection: { reason: 'not_found', message: kind } };
}

/** The rejection of an edit that would break a rule. */
export function invalid(message: string): { rejection: EditRefusal } {
  return { rejection: { reason: 'invalid', message } };
}

/** A part with the changes that are named; undefined names nothing. */
export function changed<T extends object>(part: T, changes: { readonly [Key in keyof T]?: T[Key] | undefined }): T {
  return { ...part, ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) };
}

/** The list with its part of that id replaced and, where a position is given, moved there; past the end means the end. */
export function replaced<T extends { readonly id: string }>(list: readonly T[], part: T, position?: number): T[] {
  return position === undefined
    ? list.map((other) => (other.id === part.id ? part : other))
    : without(list, part.id).toSpliced(position, 0, part);
}

/** The list without its part of that id. */
export function without<T extends { readonly id: string }>(list: readonly T[], id: string): T[] {
  return list.filter((part) => part.id !== id);
}

/** The part of that id. */
export function partOf<T extends { readonly id: string }>(list: readonly T[], id: string): T | undefined {
  return list.find((part) => part.id === id);
}
