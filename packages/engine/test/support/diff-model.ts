import type { Change, ProcessDocument } from '@runward/engine';

type Properties = Record<string, unknown>;

/** A document as rows: the properties of every part, and the order of every list, each under a name. */
interface Rows {
  readonly parts: Map<string, Properties>;
  readonly lists: Map<string, string[]>;
}

const listNames = { FIELD: 'taskId', RULE: 'taskId' } as const;

/**
 * Flattens a document into rows. Absent properties have their defaults. Options and dependencies within one list must
 * differ.
 */
export function rowsOf({ phases, tasks, variables }: ProcessDocument): Rows {
  const rows: Rows = { parts: new Map(), lists: new Map() };
  const add = (list: string, name: string, properties: Properties) => {
    rows.parts.set(name, properties);
    rows.lists.set(list, [...(rows.lists.get(list) ?? []), name]);
  };
  for (const { id, ...own } of phases) add('PHASE', `PHASE ${id}`, own);
  for (const { id, ...own } of variables)
    add('VARIABLE', `VARIABLE ${id}`, { searchable: false, required: false, shownToGuests: false, ...own });
  for (const { id: taskId, fields, rules, dependencies, ...task } of tasks) {
    add('TASK', `TASK ${taskId}`, task);
    for (const { id, ...own } of rules) add(`RULE ${taskId}`, `RULE ${id}`, own);
    for (const id of dependencies) add(`DEPENDENCY ${taskId}`, `DEPENDENCY ${taskId} ${id}`, {});
    for (const { id, options, ...own } of fields) {
      add(`FIELD ${taskId}`, `FIELD ${id}`, { searchable: false, dataSource: null, ...own });
      for (const { key, ...option } of options) add(`OPTION ${id}`, `OPTION ${id} ${key}`, option);
    }
  }
  return rows;
}

/** Rows in an order that does not depend on how they came about. */
export function sortedRows({ parts, lists }: Rows) {
  const entries = <Value>(map: Map<string, Value>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { parts: entries(parts), lists: entries(lists) };
}

/**
 * Applies changes to rows. Throws if a change does not fit: if it adds something that exists, or states a wrong old
 * value.
 */
export function patched(before: ProcessDocument, changes: readonly Change[]): Rows {
  const { parts, lists } = rowsOf(before);
  const arrivals: { list: string; name: string; position: number }[] = [];
  for (const change of changes) {
    const { kind, entity } = change;
    for (const [side, properties] of [
      ['before', change.before],
      ['after', change.after],
    ] as const) {
      const expected = kind === 'ADDED' ? side === 'after' : kind === 'REMOVED' ? side === 'before' : true;
      if ((properties !== undefined) !== expected) throw new Error(`${kind} ${entity} has the wrong sides.`);
      if (!properties) continue;
      const { name, list, position, own, inner } = read(change, properties);
      if (side === 'before') {
        if (kind !== 'CHANGED') leave(lists, list, name, position);
        check(parts.get(name), own, kind === 'REMOVED');
        if (kind === 'REMOVED') parts.delete(name);
        if (kind === 'REMOVED') for (const each of inner) forget({ parts, lists }, each);
        continue;
      }
      if (kind === 'ADDED' && parts.has(name)) throw new Error(`${name} was added, but exists.`);
      parts.set(name, kind === 'MOVED' ? (parts.get(name) ?? {}) : { ...parts.get(name), ...own });
      if (kind !== 'CHANGED') arrivals.push({ list, name, position });
      if (kind === 'ADDED') {
        for (const each of inner) {
          parts.set(each.name, each.own);
          lists.set(each.list, [...(lists.get(each.list) ?? []), each.name]);
        }
      }
    }
  }
  for (const { list, name, position } of arrivals.toSorted((a, b) => a.position - b.position)) {
    lists.set(list, (lists.get(list) ?? []).toSpliced(position, 0, name));
  }
  for (const [list, names] of lists) if (names.length === 0) lists.delete(list);
  return { parts, lists };
}

function read({ entity, id, kind }: Change, { position, ...properties }: Readonly<Properties>) {
  const {
    dependencies = [],
    options = [],
    key,
    taskId,
    ...own
  } = properties as Properties & {
    dependencies?: string[];
    options?: { key: string }[];
    key?: string;
    taskId?: string;
  };
  const inner = [
    ...dependencies.map((to) => ({ list: `DEPENDENCY ${id}`, name: `DEPENDENCY ${id} ${to}`, own: {} })),
    ...options.map((each) => {
      const { key: to, ...option } = each;
      return { list: `OPTION ${id}`, name: `OPTION ${id} ${to}`, own: option };
    }),
  ];
  const place = { inner, position: Number(position) };
  if (entity === 'OPTION') return { ...place, list: `OPTION ${id}`, name: `OPTION ${id} ${key}`, own };
  if (entity === 'DEPENDENCY') return { ...place, list: `DEPENDENCY ${id}`, name: `DEPENDENCY ${id} ${taskId}`, own };
  const withKey = key === undefined ? own : { ...own, key };
  if (kind !== 'CHANGED' && entity in listNames) {
    return { ...place, list: `${entity} ${taskId}`, name: `${entity} ${id}`, own: withKey };
  }
  return { ...place, list: entity, name: `${entity} ${id}`, own: withKey };
}

function leave(lists: Rows['lists'], list: string, name: string, position: number): void {
  if (!lists.get(list)?.includes(name))
    throw new Error(`${name} is not in ${list}, so it cannot leave position ${position}.`);
  lists.set(
    list,
    (lists.get(list) ?? []).filter((other) => other !== name),
  );
}

function forget({ parts, lists }: Rows, { list, name }: { list: string; name: string }): void {
  parts.delete(name);
  lists.delete(list);
}

/** A removal states all properties, a change the changed ones, and a move only places. */
function check(now: Properties | undefined, stated: Properties, whole: boolean): void {
  if (!now) throw new Error('A change names a part that does not exist.');
  const compared = whole ? now : Object.fromEntries(Object.keys(stated).map((key) => [key, now[key]]));
  if (JSON.stringify(sorted(compared)) !== JSON.stringify(sorted(stated))) {
    throw new Error(`A change states ${JSON.stringify(stated)}, but there was ${JSON.stringify(now)}.`);
  }
}

function sorted(properties: Properties) {
  return Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The length of the longest common subsequence of two lists, by the textbook algorithm. */
export function longestCommon(one: readonly string[], other: readonly string[]): number {
  const rows = [[0, ...other.map(() => 0)]];
  for (const [i, a] of one.entries()) {
    const row = [0];
    for (const [j, b] of other.entries()) {
      row.push(a === b ? (rows[i]?.[j] ?? 0) + 1 : Math.max(rows[i]?.[j + 1] ?? 0, row[j] ?? 0));
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

/**
 * The longest common subsequence of two lists. Among several, the one that comes first in the first list. Tries all of
 * them.
 */
export function earliestCommon(one: readonly string[], other: readonly string[]): readonly string[] {
  const [item, ...rest] = one;
  if (item === undefined) return [];
  const without = earliestCommon(rest, other);
  if (!other.includes(item)) return without;
  const sequence = [item, ...earliestCommon(rest, other.slice(other.indexOf(item) + 1))];
  return sequence.length >= without.length ? sequence : without;
}
