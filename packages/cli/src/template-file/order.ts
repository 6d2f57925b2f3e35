/** Taking one item out of a list and putting it in at a position. */
export interface Move<Item> {
  readonly item: Item;
  readonly position: number;
}

/** The fewest moves that bring a list into another order of the same items. */
export function moves<Item>(current: readonly Item[], target: readonly Item[]): Move<Item>[] {
  const staying = new Set(longestRise(current, target));
  let list = [...current];
  const made: Move<Item>[] = [];
  for (const [index, item] of target.entries()) {
    if (staying.has(item)) continue;
    list = list.filter((other) => other !== item);
    // Behind its predecessor, which is in its place by now; its successor comes or stays somewhere behind.
    const position = index === 0 ? 0 : list.indexOf(target[index - 1] as Item) + 1;
    list.splice(position, 0, item);
    made.push({ item, position });
  }
  return made;
}

/** The most items that stand in the same order in both lists. */
function longestRise<Item>(current: readonly Item[], target: readonly Item[]): Item[] {
  const best: Item[][] = [];
  for (const item of current) {
    const place = target.indexOf(item);
    const before = best.filter((rise) => target.indexOf(rise.at(-1) as Item) < place);
    const longest = before.reduce<Item[]>((found, rise) => (rise.length > found.length ? rise : found), []);
    best.push([...longest, item]);
  }
  return best.reduce<Item[]>((found, rise) => (rise.length > found.length ? rise : found), []);
}
