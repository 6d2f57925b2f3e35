/**
 * The edit distance: how many letters must be inserted, removed, replaced, or swapped with the next one, to turn one
 * text into the other.
 */
export function edits(one: string, other: string): number {
  let above: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1) {
      const changed = (row[to] ?? 0) + (one[at] === other[to] ? 0 : 1);
      const isSwap = to > 0 && one[at] === other[to - 1] && one[at - 1] === other[to];
      const swapped = isSwap ? (above[to - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min((next[to] ?? 0) + 1, (row[to + 1] ?? 0) + 1, changed, swapped));
    }
    [above, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
