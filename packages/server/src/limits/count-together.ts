import { RateLimiterRes } from 'rate-limiter-flexible';
import { batchByKey } from '../database/batch.ts';

/** Counts several requests of a key at once. Rejects with a `RateLimiterRes` if the last of them is over the limit. */
type CountSeveral = (key: string, count: number) => Promise<RateLimiterRes>;

/**
 * Counts requests of the same key together: those that arrive while the store is counting share its next answer, so
 * that a busy key does not cost a round trip per request. Each request gets a number, in the order of arrival, and is
 * accepted up to `points`, as if it were counted alone.
 */
export function countTogether(points: number, countSeveral: CountSeveral): (key: string) => Promise<RateLimiterRes> {
  const count = batchByKey<null, RateLimiterRes>(async (key, calls) => {
    const total = await countSeveral(key, calls.length).catch((rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return rejection;
      throw rejection;
    });
    return calls.map((_, index) => shareOf(total, points, { index, of: calls.length }));
  });
  return async (key) => {
    const result = await count(key, null);
    if (result.consumedPoints > points) throw result;
    return result;
  };
}

/**
 * The result for one of several requests that were counted together. If the process rejects a key from memory, the
 * store has counted none of the requests, and all of them are over the limit.
 */
function shareOf(total: RateLimiterRes, points: number, { index, of }: { index: number; of: number }): RateLimiterRes {
  const { consumedPoints, msBeforeNext, isFirstInDuration } = total;
  const before = consumedPoints < of ? points : consumedPoints - of;
  const own = before + index + 1;
  return new RateLimiterRes(Math.max(0, points - own), msBeforeNext, own, isFirstInDuration);
}
