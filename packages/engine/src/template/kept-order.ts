/**
 * The items that keep their order from one list to another: as many as possible, so that the fewest others have moved. The items of each list
 * are unique; those that only one list has are left out. Swapping the lists gives the same items.
 */
export function keptOrder(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(after.map((item, place) => [item, place]));
  const common = before.flatMap((item) => {
    const place = places.get(item);
    return place === undefined ? [] : [{ item, place }];
  });
  if (common.every(({ place }, index) => index === 0 || (common[index - 1]?.place ?? 0) < place)) {
    return new Set(common.map(({ item }) => item));
  }

  /** The longest sequence that ends with an item. */
  interface End {
    readonly item: string;
    readonly place: number;
    readonly length: number;
    readonly previous: End | null;
  }
  // Of equally long sequences the one with the smaller item wins, in both directions.
  const better = (one: End, other: End | null) =>
    other === null || one.length > other.length || (one.length === other.length && one.item < other.item);
  const ends: End[] = [];
  let last: End | null = null;
  for (const { item, place } of common) {
    let previous: End | null = null;
    for (const end of ends) {
      if (end.place < place && better(end, previous)) previous = end;
    }
    const end: End = { item, place, length: (previous?.length ?? 0) + 1, previous };
    ends.push(end);
    if (better(end, last)) last = end;
  }
  const kept = new Set<string>();
  for (let end: End | null = last; end !== null; end = end.previous) kept.add(end.item);
  return kept;
}
