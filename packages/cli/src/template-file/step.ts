import type { Client } from '@runward/sdk';

/** The kinds of parts a template has. */
export type PartKind = 'template' | 'variable' | 'phase' | 'task' | 'field';

/** The IDs on the server by what identifies a part in a file: names of phases, titles of tasks, keys of fields. Creations add to them. */
export interface Ids {
  template: string;
  readonly phases: Map<string, string>;
  readonly tasks: Map<string, string>;
  readonly fields: Map<string, string>;
}

/** Applies a step. It looks IDs up only then, because an earlier step may have created what it needs. */
export type Apply = (templates: Client['templates'], ids: Ids) => Promise<unknown>;

/** One change of a push. */
export interface Step {
  readonly action: 'create' | 'update' | 'move' | 'delete';
  readonly kind: PartKind;
  /** The name, title or key of the part. */
  readonly name: string;
  /** The properties an update changes, or where a part is moved to. */
  readonly details: readonly string[];
  readonly apply: Apply;
}

/** A step that creates a part. */
export function create(kind: PartKind, name: string, apply: Apply): Step[] {
  return [{ action: 'create', kind, name, details: [], apply }];
}

/** A step that updates the properties of a part that differ; none if all are equal. */
export function update<Part extends object>(
  kind: PartKind,
  name: string,
  { wanted, now }: { readonly wanted: Part; readonly now: { readonly [Name in keyof Part]: unknown } },
  apply: (changes: Partial<Part>) => Apply,
): Step[] {
  const names = Object.keys(wanted) as (keyof Part & string)[];
  const details = names.filter((each) => JSON.stringify(wanted[each]) !== JSON.stringify(now[each]));
  if (details.length === 0) return [];
  const changes = Object.fromEntries(details.map((each) => [each, wanted[each]])) as Partial<Part>;
  return [{ action: 'update', kind, name, details, apply: apply(changes) }];
}

/** A step that moves a part. */
export function move(kind: PartKind, name: string, destination: string, apply: Apply): Step {
  return { action: 'move', kind, name, details: [destination], apply };
}

/** A step that deletes a part. */
export function remove(kind: PartKind, name: string, apply: Apply): Step {
  return { action: 'delete', kind, name, details: [], apply };
}
