import { ApiError, ConnectionError, RateLimitError, TimeoutError } from './errors.ts';
import { property } from './property.ts';

const passingStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** What decides whether and when a failed attempt is made again. */
export interface RetryRule {
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly maxRetries: number;
  readonly maxRetryAfterSeconds: number;
  /** Whether the request does no harm when the server gets it twice. */
  readonly repeatable: boolean;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
}

/** Milliseconds to wait before the next attempt, or null when there shall be none. */
export function retryDelayMs(error: unknown, rule: RetryRule): number | null {
  if (rule.attempt > rule.maxRetries || !mayPass(error, rule.repeatable)) return null;

  const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
  if (asked === null) return backoffMs(rule.attempt, rule.random);
  return asked > rule.maxRetryAfterSeconds ? null : asked * 1000;
}

/** Full jitter: any time up to a limit that starts at 0.5 s, doubles with each attempt and ends at 8 s. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(8000, 500 * 2 ** (attempt - 1)));
}

/**
 * The wait a server asks for in seconds, null when it asks for none: the `Retry-After` header (whole seconds or an HTTP
 * date), else `retryAfter` of the body. `now` is in epoch milliseconds.
 */
export function retryAfterSeconds(headers: Headers, body: unknown, now: number): number | null {
  const header = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  // Only a date has a letter; Date.parse would take numbers such as "1.5" or "-1" for dates, too.
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1000));

  const named = property(body, 'retryAfter');
  return typeof named === 'number' && named >= 0 ? named : null;
}

function mayPass(error: unknown, repeatable: boolean): boolean {
  // A request over the limit was refused before it did anything, so that even a launch may be sent again.
  if (error instanceof RateLimitError) return true;
  if (!repeatable) return false;
  if (error instanceof ApiError) return passingStatuses.has(error.statusCode);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
