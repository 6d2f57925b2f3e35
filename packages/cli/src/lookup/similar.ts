import leven from 'leven';

/** Up to five candidates that resemble a misspelled name: equal except for case, one within the other, or a few letters apart. */
export function similar(name: string, candidates: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  return candidates
    .filter((candidate) => {
      const other = candidate.toLowerCase();
      return other.includes(wanted) || wanted.includes(other) || leven(wanted, other) <= Math.max(1, wanted.length / 4);
    })
    .slice(0, 5);
}
