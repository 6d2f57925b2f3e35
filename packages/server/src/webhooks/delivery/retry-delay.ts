import type { OutboundAnswer } from '../../adapters/outbound-http.ts';

const leastAfterOverload = 60;

/**
 * Seconds to wait after a failed attempt, or null where the schedule has no further one (spec: Events, Delivery; design: Events).
 * `attempts` counts the one that just failed. Spread by a fifth, so that what failed together does not come back together; a
 * receiver that did not cope gets a minute at least; what it asks for itself is granted up to twice the wait.
 */
export function retryDelay(
  schedule: readonly number[],
  attempts: number,
  { statusCode, timedOut, retryAfterSeconds }: Pick<OutboundAnswer, 'statusCode' | 'timedOut' | 'retryAfterSeconds'>,
  random: () => number = Math.random,
): number | null {
  const scheduled = schedule[attempts];
  if (scheduled === undefined) return null;
  const least = timedOut || statusCode === 429 ? leastAfterOverload : 0;
  const base = Math.max(scheduled, least);
  if (retryAfterSeconds !== null) return Math.min(Math.max(retryAfterSeconds, base), 2 * base);
  return Math.max(base * (0.8 + 0.4 * random()), least);
}
