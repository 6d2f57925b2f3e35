import { keptOrder } from './kept-order.ts';
import { differingKeys } from './same-value.ts';

/** The kinds of parts that changes are about. */
export type ChangedEntity = 'PHASE' | 'TASK' | 'FIELD' | 'OPTION' | 'RULE' | 'DEPENDENCY' | 'VARIABLE';

/** Properties of a part, as the API shows them. */
export type PartProperties = Readonly<Record<string, unknown>>;

/** One difference between two documents. */
export interface Change {
  readonly kind: 'ADDED' | 'REMOVED' | 'CHANGED' | 'MOVED';
  readonly entity: ChangedEntity;
  /** The id of the part. For an option, the id of its field; for a dependency, the id of the waiting task. */
  readonly id: string;
  /** What people call the part, after the change if it still exists. */
  readonly label: string;
  /**
   * For a removed part all its properties, for a moved part its place, for a changed part the properties that differ.
   */
  readonly before?: PartProperties;
  /** The same, after the change. */
  readonly after?: PartProperties;
}

/** A part in the form in which it is compared. */
export interface Item {
  /** Identifies the part among all parts of its kind, in both documents. */
  readonly key: string;
  readonly id: string;
  readonly label: string;
  /** What every change of the part has, because its id does not name it. */
  readonly naming: PartProperties;
  /** What is compared. */
  readonly own: PartProperties;
  /** Properties that are compared as parts of their own. A change that adds or removes the whole part includes them. */
  readonly parts: PartProperties;
  /** Where the part is. */
  readonly place: PartProperties;
}

/** The parts of one kind in a document, by their keys. */
export type Items = ReadonlyMap<string, Item>;

/** A part in the earlier and the later document; null where it does not exist. */
export interface Pair {
  readonly before: Item | null;
  readonly after: Item | null;
  readonly moved: boolean;
}

/**
 * Pairs the parts of a list with the parts of its later state, in the later order. A removed part follows the part that
 * it followed before. `was` and `is` hold all parts of this kind in both documents: a part from another list has moved,
 * and a part that is in another list now is not removed.
 */
export function pairsOf(before: readonly Item[], after: readonly Item[], was: Items, is: Items): Pair[] {
  // Shortcut for the usual case: the same parts in the same order.
  if (before.length === after.length && before.every(({ key }, index) => key === after[index]?.key)) {
    return after.map((item, index) => ({ before: before[index] ?? null, after: item, moved: false }));
  }
  const keys = new Set(after.map(({ key }) => key));
  const removed = new Map<string | null, Pair[]>();
  let last: string | null = null;
  for (const item of before) {
    if (keys.has(item.key)) last = item.key;
    else if (!is.has(item.key)) {
      const pair = { before: item, after: null, moved: false };
      removed.set(last, [...(removed.get(last) ?? []), pair]);
    }
  }
  const kept = keptOrder(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  );
  const rest = after.flatMap((item) => {
    const earlier = was.get(item.key) ?? null;
    const pair = { before: earlier, after: item, moved: earlier !== null && !kept.has(item.key) };
    return [pair, ...(removed.get(item.key) ?? [])];
  });
  return [...(removed.get(null) ?? []), ...rest];
}

/** The changes of one part, not including its nested parts. */
export function changesOf(entity: ChangedEntity, { before, after, moved }: Pair): Change[] {
  const [whole, change] = [(item: Item) => ({ ...item.naming, ...item.own, ...item.parts, ...item.place }), { entity }];
  if (!before) return after ? [{ kind: 'ADDED', ...change, ...named(after), after: whole(after) }] : [];
  if (!after) return [{ kind: 'REMOVED', ...change, ...named(before), before: whole(before) }];
  const sides = (one: Item, pick: (item: Item) => PartProperties) => ({ ...one.naming, ...pick(one) });
  const both = (kind: Change['kind'], pick: (item: Item) => PartProperties): Change => {
    return { kind, ...change, ...named(after), before: sides(before, pick), after: sides(after, pick) };
  };
  const different = differingKeys(before.own, after.own);
  return [
    ...(moved ? [both('MOVED', ({ place }) => place)] : []),
    ...(different.length > 0 ? [both('CHANGED', ({ own }) => only(own, different))] : []),
  ];
}

function named({ id, label }: Item) {
  return { id, label };
}

function only(properties: PartProperties, keys: readonly string[]): PartProperties {
  return Object.fromEntries(keys.map((key) => [key, properties[key]]));
}
