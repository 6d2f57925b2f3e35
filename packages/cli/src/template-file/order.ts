/** One move: the item is taken out of the list and inserted at a position. */
export interface Move<Item> {
  readonly item: Item;
  readonly position: number;
}

/** The fewest moves that bring a list into another order of its items. */
export function moves<Item>(current: readonly Item[], target: readonly Item[]): Move<Item>[] {
  const fixed = new Set(longestCommonOrder(current, target));
  let list = [...current];
  const made: Move<Item>[] = [];
  for (const [index, item] of target.entries()) {
    if (fixed.has(item)) continue;
    list = list.filter((other) => other !== item);
    // After its predecessor, which is already in place. Its successor is or will be somewhere after it.
    const position = index === 0 ? 0 : list.indexOf(target[index - 1] as Item) + 1;
    list.splice(position, 0, item);
    made.push({ item, position });
  }
  return made;
}

/** The longest sequence of items that has the same order in both lists. */
function longestCommonOrder<Item>(current: readonly Item[], target: readonly Item[]): Item[] {
  const best: Item[][] = [];
  for (const item of current) {
    const position = target.indexOf(item);
    const before = best.filter((sequence) => target.indexOf(sequence.at(-1) as Item) < position);
    best.push([...longest(before), item]);
  }
  return longest(best);
}

function longest<Item>(sequences: readonly Item[][]): Item[] {
  return sequences.reduce<Item[]>((found, sequence) => (sequence.length > found.length ? sequence : found), []);
}
