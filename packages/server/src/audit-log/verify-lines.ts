import { hashBeforeFirst, hashOf } from '@runward/engine';
import type { Em } from '../database/database.ts';
import { lockRow } from '../database/lock-row.ts';
import { AuditHead } from './entities/audit-head.ts';
import { presentLine, type PresentedLine } from './present-line.ts';
import { nextLines } from './queries/list-lines.ts';

/** What is known of an audit log. */
export interface VerifiedLog {
  /** The number of lines that were verified, from the oldest one. */
  readonly verified: number;
  /** The number of lines that were deleted because of their age. */
  readonly purged: number;
  /** The hash of the newest line. */
  readonly hash: string;
  /** The first line that is not as it was written, or null. */
  readonly problem: { readonly sequence: number; readonly message: string } | null;
}

/**
 * Verifies that the audit log of an organization is complete and unchanged, apart from its purged beginning. Must be
 * called in a transaction: no line is added or purged until it ends.
 */
export async function verifyLines(em: Em, organizationId: string): Promise<VerifiedLog> {
  await lockRow(em, AuditHead, { organizationId }, 'share');
  return verifyNewest(em, organizationId, Infinity);
}

/**
 * Verifies the newest `most` lines of the audit log of an organization. Must be called in a transaction that sees one
 * state of the database.
 */
export async function verifyNewest(em: Em, organizationId: string, most: number): Promise<VerifiedLog> {
  const head = await em.findOne(AuditHead, { organizationId });
  const { count, purgedCount: purged, hash } = head ?? { count: 0, purgedCount: 0, hash: hashBeforeFirst };
  const start = Math.max(purged, count - most);
  let [sequence, previous] = [start, start === 0 ? hashBeforeFirst : null] as [number, string | null];
  const end = (problem: VerifiedLog['problem']) => ({ verified: sequence - start, purged, hash, problem });

  for (;;) {
    const lines = (await nextLines(em, organizationId, sequence)).map(presentLine);
    for (const line of lines) {
      const message = whatIsWrong(line, sequence + 1, previous);
      if (message !== null) return end({ sequence: sequence + 1, message });
      [sequence, previous] = [line.sequence, line.hash];
    }
    if (lines.length === 0) break;
  }
  if (sequence !== count) {
    const first = Math.min(sequence, count) + 1;
    const what = sequence < count ? 'is missing' : 'was inserted';
    return end({ sequence: first, message: `Line ${first} ${what}: the audit log has ${count} lines.` });
  }
  if (previous === null || previous === hash) return end(null);
  return end({ sequence, message: `Line ${sequence} has another hash than the end of the audit log.` });
}

function whatIsWrong(line: PresentedLine, sequence: number, previous: string | null): string | null {
  const { previousHash, hash, ...content } = line;
  if (line.sequence !== sequence) return `Line ${sequence} is missing: line ${line.sequence} follows.`;
  if (previous !== null && previousHash !== previous) return `Line ${sequence} does not follow the line before it.`;
  return hash === hashOf(previousHash, content)
    ? null
    : `Line ${sequence} was changed: it does not have the hash that it was written with.`;
}
