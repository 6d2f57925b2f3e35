/**
 * Finds the items that keep their order between two lists. Keeps as many as possible, so that the fewest count as
 * moved. Among equally good choices, prefers the items that come first in the earlier list. Items are unique within a
 * list; items of only one list are left out.
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
