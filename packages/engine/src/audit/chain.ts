import { hash } from 'node:crypto';
import type { Contract, Response } from '@runward/contract';
import { canonicalJson } from './canonical-json.ts';

/** A line of a run's activity log, as `GET /runs/:id/activity` returns it. */
export type HashedLine = Response<Contract['runs']['activity']>['data'][number];

/** A line without its hash. */
export type ActivityLine = Omit<HashedLine, 'hash'>;

/** The previous hash of the first line of a chain: 64 zeros. */
export const hashBeforeFirst = '0'.repeat(64);

/**
 * The hash of a line without its hash, as lowercase hexadecimal: the SHA-256 of the previous hash, a line feed, and the
 * line as canonical JSON. It therefore depends on all earlier lines of the chain: of a run, or of an audit log.
 */
export function hashOf(previousHash: string, line: object): string {
  return hash('sha256', `${previousHash}\n${canonicalJson(line)}`);
}
