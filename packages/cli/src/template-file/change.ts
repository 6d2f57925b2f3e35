import { isDeepStrictEqual } from 'node:util';

/** The kinds of parts a template has. */
export type PartKind = 'template' | 'variable' | 'phase' | 'task' | 'field' | 'rule';

/** One change of a push. */
export interface Change {
  readonly action: 'create' | 'update' | 'move' | 'delete';
  readonly kind: PartKind;
  /** The name, title or key of the part. */
  readonly name: string;
  /** The properties an update changes, or where a part is moved to. */
  readonly details: readonly string[];
}

/** The creation of a part. */
export function create(kind: PartKind, name: string): Change {
  return { action: 'create', kind, name, details: [] };
}

/** The update of the properties of a part that differ; none if all are equal. */
export function update<Part extends object>(
  kind: PartKind,
  name: string,
  wanted: Part,
  now: { readonly [Name in keyof Part]: unknown },
): Change[] {
  const names = Object.keys(wanted) as (keyof Part & string)[];
  const details = names.filter((each) => !isDeepStrictEqual(wanted[each], now[each]));
  return details.length === 0 ? [] : [{ action: 'update', kind, name, details }];
}

/** The move of a part. */
export function move(kind: PartKind, name: string, destination: string): Change {
  return { action: 'move', kind, name, details: [destination] };
}

/** The deletion of a part. */
export function remove(kind: PartKind, name: string): Change {
  return { action: 'delete', kind, name, details: [] };
}
