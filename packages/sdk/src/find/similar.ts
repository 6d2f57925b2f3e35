import { edits } from '../edits.ts';
import { caseFolded } from './case-folded.ts';

/**
 * Up to five candidates for a misspelled name, the nearest first: equal except for case, one contained in the other,
 * or the whole or some words a few letters apart.
 */
export function similar(name: string, candidates: readonly string[]): string[] {
  const wanted = caseFolded(name);
  const most = Math.max(1, wanted.length / 4);
  return (
    candidates
      .map((candidate) => ({ candidate, distance: distanceOf(wanted, caseFolded(candidate), most) }))
      // A name of one letter is one letter apart from any other.
      .filter(({ distance }) => distance <= most && distance < wanted.length)
      .sort((one, other) => one.distance - other.distance)
      .slice(0, 5)
      .map(({ candidate }) => candidate)
  );
}

function distanceOf(wanted: string, other: string, most: number): number {
  if (Math.abs(wanted.length - other.length) <= most) {
    const distance = edits(wanted, other);
    if (distance <= most) return distance;
  }
  const isPart = other.includes(wanted) || wanted.includes(other) || hasSimilarWords(wanted, other, most);
  return wanted !== '' && isPart ? most : Infinity;
}

function hasSimilarWords(wanted: string, other: string, most: number): boolean {
  const count = wanted.split(' ').length;
  const words = other.split(' ');
  return words.some((_, at) => edits(wanted, words.slice(at, at + count).join(' ')) <= most);
}
