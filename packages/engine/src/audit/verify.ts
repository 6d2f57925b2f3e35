import { hashBeforeFirst, hashOf, type HashedLine } from './chain.ts';

/** The end of a run's activity log as the run records it: the number of lines, and the hash of the last one. */
export interface ChainHead {
  readonly count: number;
  readonly hash: string;
}

/** The first line that differs from what was written. */
export interface ChainProblem {
  /** Position, counted from 1. The line that belongs here has this `sequence`. */
  readonly line: number;
  readonly kind: 'CHANGED' | 'REMOVED' | 'INSERTED' | 'REORDERED';
  readonly message: string;
}

/**
 * Verifies that the lines are complete, in order and unchanged. Returns the first problem, or null. If somebody changed
 * lines and recomputed all later hashes, only the comparison with `head` reveals it.
 */
export function verifyChain(lines: readonly HashedLine[], head: ChainHead): ChainProblem | null {
  let previous = hashBeforeFirst;
  for (const [index, line] of lines.slice(0, head.count).entries()) {
    if (!follows(line, previous, index + 1)) return problemAt(lines, head, index + 1, previous);
    previous = line.hash;
  }
  if (lines.length < head.count) {
    const line = lines.length + 1;
    return { line, kind: 'REMOVED', message: `Line ${line} is missing: the run has ${head.count} lines.` };
  }
  if (lines.length > head.count) {
    const line = head.count + 1;
    return { line, kind: 'INSERTED', message: `Line ${line} was inserted: the run has ${head.count} lines.` };
  }
  if (previous === head.hash) return null;
  const message = `Line ${head.count} has the hash ${previous}, but the head is ${head.hash}: lines were changed together with their hashes.`;
  return { line: head.count, kind: 'CHANGED', message };
}

function follows(line: HashedLine, previous: string, sequence: number): boolean {
  const { hash, ...content } = line;
  return line.sequence === sequence && hash === hashOf(previous, content);
}

/** Finds out what happened to the line that belongs at this position: changed, moved or removed. */
function problemAt(lines: readonly HashedLine[], { count }: ChainHead, line: number, previous: string): ChainProblem {
  const found = lines[line - 1]?.sequence ?? 0;
  const isElsewhere = lines.slice(line).some((other) => follows(other, previous, line));
  if (isElsewhere) {
    const isOnly = lines.filter(({ sequence }) => sequence === found).length === 1;
    return isOnly && found > line && found <= count
      ? { line, kind: 'REORDERED', message: `Line ${line} was moved: line ${found} stands in its place.` }
      : { line, kind: 'INSERTED', message: `Line ${line} was inserted: another line follows line ${line - 1}.` };
  }
  if (found < line && lines.length > count) {
    return { line, kind: 'INSERTED', message: `Line ${line} was inserted: there are two lines ${found}.` };
  }
  return found === line || lines.length >= count
    ? {
        line,
        kind: 'CHANGED',
        message: `Line ${line} was changed: it does not have the hash that it was written with.`,
      }
    : { line, kind: 'REMOVED', message: `Line ${line} is missing: line ${found} follows line ${line - 1}.` };
}
