import type { OutboundResult } from '../../adapters/outbound-http.ts';

const minimumAfterOverload = 60;

/**
 * Seconds to wait after a failed attempt, or null if the schedule has no further attempt (spec: Events, Delivery).
 * `attempts` includes the attempt that just failed. Delays vary by a fifth, so that deliveries that failed together are
 * not retried together. After a timeout or a 429 the delay is at least a minute. A Retry-After is honored up to twice
 * the delay.
 */
export function retryDelay(
  schedule: readonly number[],
  attempts: number,
  { statusCode, timedOut, retryAfterSeconds }: Pick<OutboundResult, 'statusCode' | 'timedOut' | 'retryAfterSeconds'>,
  random: () => number = Math.random,
): number | null {
  const scheduled = schedule[attempts];
  if (scheduled === undefined) return null;
  const minimum = timedOut || statusCode === 429 ? minimumAfterOverload : 0;
  const base = Math.max(scheduled, minimum);
  if (retryAfterSeconds !== null) return Math.min(Math.max(retryAfterSeconds, base), 2 * base);
  return Math.max(base * (0.8 + 0.4 * random()), minimum);
}
