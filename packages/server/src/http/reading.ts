import type { Endpoint } from '@runward/contract';
import type { Reading } from '../database/replica/replica-reads.ts';
import type { GuardParts } from './guard.ts';

/**
 * Begins the reads of a request: at the replica if there is one, and if the endpoint, or else the request, permits it.
 */
export function beginReading(
  { reads }: Pick<Endpoint, 'reads'>,
  cacheControl: string,
  { database, replica }: Pick<GuardParts, 'database' | 'replica'>,
): Reading {
  const accepted = reads === 'replica-on-request' ? acceptedAge(cacheControl) : null;
  return replica !== null && (reads === 'replica' || accepted !== null)
    ? replica.begin(accepted)
    : { em: database.em.fork(), ageSeconds: () => null };
}

/**
 * How many seconds old a response may be: `max-stale` of a header `Cache-Control` (RFC 9111, section 5.2.1.2), which is
 * Infinity if it has no value. Null if the header does not have it, or has a value that is no number of seconds.
 */
export function acceptedAge(cacheControl: string): number | null {
  const directives = cacheControl.split(',').map((each) => each.trim().toLowerCase());
  const found = directives.flatMap((each) => /^max-stale(?:=(\d{1,9}))?$/.exec(each) ?? []);
  if (found.length === 0 || directives.includes('no-cache')) return null;
  return found[1] === undefined ? Infinity : Number(found[1]);
}
