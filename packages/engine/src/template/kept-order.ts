/**
 * The items that keep their order from one list to another: as many as possible, so that the fewest others have moved. Of several such choices
 * it is the one with the earliest items of the earlier list. The items of each list are unique; those that only one list has are left out.
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

  // How many items can keep their order from each one on.
  const lengths: number[] = [];
  for (const [index, { place }] of [...common.entries()].toReversed()) {
    let longest = 0;
    for (let next = index + 1; next < common.length; next += 1) {
      if ((common[next]?.place ?? 0) > place) longest = Math.max(longest, lengths[next] ?? 0);
    }
    lengths[index] = longest + 1;
  }

  const kept = new Set<string>();
  let missing = Math.max(...lengths);
  let last = -1;
  for (const [index, { item, place }] of common.entries()) {
    if (place < last || lengths[index] !== missing) continue;
    kept.add(item);
    missing -= 1;
    last = place;
  }
  return kept;
}
