import { caseFolded } from './case-folded.ts';

/**
 * Up to five candidates for a misspelled name, the nearest first: equal except for case, one contained in the other, or
 * a few letters apart.
 */
export function similar(name: string, candidates: readonly string[]): string[] {
  const wanted = caseFolded(name);
  const most = Math.max(1, wanted.length / 4);
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, caseFolded(candidate), most) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 5)
    .map(({ candidate }) => candidate);
}

function distanceOf(wanted: string, other: string, most: number): number {
  if (Math.abs(wanted.length - other.length) <= most) {
    const distance = edits(wanted, other);
    if (distance <= most) return distance;
  }
  return wanted !== '' && (other.includes(wanted) || wanted.includes(other)) ? most : Infinity;
}

/** The edit distance: how many letters must be inserted, removed or replaced to turn one text into the other. */
function edits(one: string, other: string): number {
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
