import type { Client } from '@runward/sdk';

/** The kinds of parts a template has. */
export type PartKind = 'template' | 'variable' | 'phase' | 'task' | 'field';

/** The ids on the server, by what the parts of a file are told by; creations add to them. */
export interface Ids {
  template: string;
  readonly phases: Map<string, string>;
  readonly tasks: Map<string, string>;
  readonly fields: Map<string, string>;
}

/** How a change is made. Ids are looked up only then: an earlier step may have created what this one needs. */
export type CarryOut = (templates: Client['templates'], ids: Ids) => Promise<unknown>;

/** One change that a push makes. */
export interface Step {
  readonly action: 'create' | 'update' | 'move' | 'delete';
  readonly kind: PartKind;
  /** What the part is told by: its name, title or key. */
  readonly name: string;
  /** What an update changes, or where a move goes. */
  readonly details: readonly string[];
  readonly carryOut: CarryOut;
}

/** A step that creates a part. */
export function create(kind: PartKind, name: string, carryOut: CarryOut): Step[] {
  return [{ action: 'create', kind, name, details: [], carryOut }];
}

/** A step that changes what differs of a part; none where nothing does. */
export function update<Part extends object>(
  kind: PartKind,
  name: string,
  { wanted, now }: { readonly wanted: Part; readonly now: { readonly [Name in keyof Part]: unknown } },
  carryOut: (changes: Partial<Part>) => CarryOut,
): Step[] {
  const names = Object.keys(wanted) as (keyof Part & string)[];
  const details = names.filter((each) => JSON.stringify(wanted[each]) !== JSON.stringify(now[each]));
  if (details.length === 0) return [];
  const changes = Object.fromEntries(details.map((each) => [each, wanted[each]])) as Partial<Part>;
  return [{ action: 'update', kind, name, details, carryOut: carryOut(changes) }];
}

/** A step that moves a part. */
export function move(kind: PartKind, name: string, where: string, carryOut: CarryOut): Step {
  return { action: 'move', kind, name, details: [where], carryOut };
}

/** A step that deletes a part. */
export function remove(kind: PartKind, name: string, carryOut: CarryOut): Step {
  return { action: 'delete', kind, name, details: [], carryOut };
}
