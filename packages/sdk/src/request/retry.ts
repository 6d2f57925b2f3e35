import { ApiError, ConnectionError, RateLimitError, TimeoutError } from '../errors/errors.ts';
import { property } from '../property.ts';

const transientStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Decides whether and when a failed attempt is retried. */
export interface RetryRule {
  /** Number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly maxRetries: number;
  readonly maxRetryAfterSeconds: number;
  /** Whether the request is safe to send twice. */
  readonly repeatable: boolean;
  /** A random number from 0 up to 1. */
  readonly random: () => number;
}

/** Milliseconds to wait before the next attempt; null if the error is final. */
export function retryDelayMs(error: unknown, rule: RetryRule): number | null {
  if (rule.attempt > rule.maxRetries || !isTransient(error, rule.repeatable)) return null;

  const requested = error instanceof ApiError ? error.retryAfterSeconds : null;
  if (requested === null) return backoffMs(rule.attempt, rule.random);
  return requested > rule.maxRetryAfterSeconds ? null : requested * 1000;
}

/** Full jitter: a random time up to a limit. The limit starts at 0.5 s and doubles with each attempt, up to 8 s. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(8000, 500 * 2 ** (attempt - 1)));
}

/**
 * The wait that the server asks for, in seconds; null if it does not. Reads the `Retry-After` header (whole seconds or
 * an HTTP date), else `retryAfter` in the body. `now` is in epoch milliseconds.
 */
export function retryAfterSeconds(headers: Headers, body: unknown, now: number): number | null {
  const header = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  // Only dates contain letters; Date.parse also accepts numbers such as "1.5" or "-1".
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1000));

  const named = property(body, 'retryAfter');
  return typeof named === 'number' && named >= 0 ? named : null;
}

function isTransient(error: unknown, repeatable: boolean): boolean {
  // A request over the rate limit is rejected before it changes anything, so repeating even a launch is safe.
  if (error instanceof RateLimitError) return true;
  if (!repeatable) return false;
  if (error instanceof ApiError) return transientStatuses.has(error.statusCode);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
