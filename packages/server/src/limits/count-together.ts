import { RateLimiterRes } from 'rate-limiter-flexible';

/** Counts several requests of a key at once; rejects with a `RateLimiterRes` if the last of them is over the limit. */
type CountSeveral = (key: string, count: number) => Promise<RateLimiterRes>;

interface Waiting {
  readonly resolve: (result: RateLimiterRes) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Counts requests of the same key together: those that arrive while the store is counting share its next answer, so that a busy key does not
 * cost a round trip per request. Each gets its own number, in the order of arrival, and is accepted up to `points`, as if they were counted
 * one by one.
 */
export function countTogether(points: number, countSeveral: CountSeveral): (key: string) => Promise<RateLimiterRes> {
  const queues = new Map<string, Waiting[]>();

  async function run(key: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const counted = queue.splice(0);
      try {
        share(counted, points, await countSeveral(key, counted.length));
      } catch (rejection) {
        if (rejection instanceof RateLimiterRes) share(counted, points, rejection);
        else for (const { reject } of counted) reject(rejection);
      }
    }
    queues.delete(key);
  }

  return async (key) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      if (queue) {
        queue.push({ resolve, reject });
        return;
      }
      const started = [{ resolve, reject }];
      queues.set(key, started);
      // In the next phase of the event loop, so that requests that arrived together are counted together.
      setImmediate(() => void run(key, started));
    });
}

/** Gives each request its number. A key that the process rejects from memory has none: then all are over the limit. */
function share(counted: readonly Waiting[], points: number, total: RateLimiterRes): void {
  const { consumedPoints, msBeforeNext, isFirstInDuration } = total;
  const before = consumedPoints < counted.length ? points : consumedPoints - counted.length;
  for (const [index, { resolve, reject }] of counted.entries()) {
    const own = before + index + 1;
    const result = new RateLimiterRes(Math.max(0, points - own), msBeforeNext, own, isFirstInDuration);
    if (own > points) reject(result);
    else resolve(result);
  }
}
