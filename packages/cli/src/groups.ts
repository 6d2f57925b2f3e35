/** How large a group may be: the number of its items, and the sum of their sizes. */
export interface GroupLimits<Item> {
  readonly items: number;
  readonly size: number;
  sizeOf(item: Item): number;
}

/** Divides items into groups, in their order. An item that is too large forms its own group. */
export function* groupsOf<Item>(items: readonly Item[], most: GroupLimits<Item>): Generator<Item[]> {
  let group: Item[] = [];
  let size = 0;
  for (const item of items) {
    const added = most.sizeOf(item);
    if (group.length === most.items || (group.length > 0 && size + added > most.size)) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(item);
    size += added;
  }
  if (group.length > 0) yield group;
}
