import { RunwardError } from '../errors/errors.ts';

/**
 * The header `Cache-Control` of a request that accepts data of this age.
 *
 * @throws RunwardError if it is not a whole number of seconds
 */
export function toMaxStale(seconds: number): string {
  if (Number.isSafeInteger(seconds) && seconds >= 0) return `max-stale=${seconds}`;
  throw new RunwardError('`maxStaleSeconds` must be a whole number of seconds, 0 or more.');
}

/** The header `Age`, in seconds. Null without the header. */
export function readAge(headers: Headers): number | null {
  const age = headers.get('age');
  return age !== null && /^\d{1,9}$/.test(age) ? Number(age) : null;
}
