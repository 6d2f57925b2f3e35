/** The edit distance: how many letters must be inserted, removed or replaced to turn one text into the other. */
export function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const letter of one) {
    let diagonal = row[0] ?? 0;
    let left = diagonal + 1;
    row = row.map((above, index) => {
      if (index === 0) return left;
      left = Math.min(left + 1, above + 1, diagonal + (letter === other[index - 1] ? 0 : 1));
      diagonal = above;
      return left;
    });
  }
  return row[other.length] ?? 0;
}
