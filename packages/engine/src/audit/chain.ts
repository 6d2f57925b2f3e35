import { createHash } from 'node:crypto';
import type { Contract, Response } from '@runward/contract';
import { canonicalJson } from './canonical-json.ts';

/** A line of the activity log of a run as `GET /runs/:id/activity` returns it. */
export type HashedLine = Response<Contract['runs']['activity']>['data'][number];

/** A line without its hash. */
export type ActivityLine = Omit<HashedLine, 'hash'>;

/** What the first line of a run has in place of the hash of a line before it: 64 zeros. */
export const hashBeforeFirst = '0'.repeat(64);

/**
 * The hash of a line: the SHA-256 of the hash of the line before it, a line feed, and the line in canonical JSON, as lowercase
 * hexadecimal. It depends on all lines of the run so far.
 */
export function hashOf(previousHash: string, line: ActivityLine): string {
  return createHash('sha256')
    .update(`${previousHash}\n${canonicalJson(line)}`)
    .digest('hex');
}
