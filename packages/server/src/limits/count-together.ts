import { RateLimiterRes } from 'rate-limiter-flexible';
import { batchByKey } from '../database/batch.ts';

/** Counts several requests of a key at once. Rejects with a `RateLimiterRes` if the last of them is over the limit. */
type CountSeveral = (key: string, count: number) => Promise<RateLimiterRes>;

/** Counts one request of a key, or several. Rejects in the same way. */
type Count = (key: string, requests?: number) => Promise<RateLimiterRes>;

/**
 * Counts requests of the same key together: those that arrive while the store is counting share its next answer, so
 * that a busy key does not cost a round trip per request. Each request gets a number, in the order of arrival, and is
 * accepted up to `points`, as if it were counted alone.
 */
export function countTogether(points: number, countSeveral: CountSeveral): Count {
  const count = batchByKey<number, RateLimiterRes>(async (key, counts) => {
    const all = counts.reduce((sum, each) => sum + each, 0);
    const total = await countSeveral(key, all).catch((rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return rejection;
      throw rejection;
    });
    // If the process rejects a key from memory, the store has counted none of the requests.
    let number = total.consumedPoints < all ? points : total.consumedPoints - all;
    return counts.map((each) => numbered((number += each), points, total));
  });
  return async (key, requests = 1) => {
    const result = await count(key, requests);
    if (result.consumedPoints > points) throw result;
    return result;
  };
}

/** How long an answer of the store is relied on, in milliseconds. */
const reliedOnMs = 100;

/** An answer of the store, and what was accepted since. */
interface Answer {
  /** The number of the last request. */
  number: number;
  /** How many requests the store does not know yet. */
  uncounted: number;
  /** When the window ends, by `performance.now()`. */
  readonly endsAt: number;
}

/**
 * Counts like `countTogether`, but requests of a key far from its limit do not wait for it. As long as less than half
 * of `points` is used, an answer of the store is relied on for 100 ms. Requests in that time, up to a tenth of
 * `points`, are counted together afterwards (decision 0109).
 */
export function countLater(points: number, countSeveral: CountSeveral): (key: string) => Promise<RateLimiterRes> {
  const answers = new Map<string, Answer>();
  const count = countTogether(points, async (key, requests) => {
    const total = await countSeveral(key, requests);
    if (total.consumedPoints < points / 2) rely(key, total);
    return total;
  });

  function rely(key: string, { consumedPoints, msBeforeNext }: RateLimiterRes): void {
    // Requests that waited for a later answer do not make up for those that an earlier one has accepted.
    const uncounted = answers.get(key)?.uncounted ?? 0;
    answers.set(key, { number: consumedPoints + uncounted, uncounted, endsAt: performance.now() + msBeforeNext });
    setTimeout(catchUp, reliedOnMs, key).unref();
  }

  function accept(key: string): RateLimiterRes | null {
    const answer = answers.get(key);
    const msBeforeNext = (answer?.endsAt ?? 0) - performance.now();
    if (!answer || msBeforeNext <= 0 || answer.number >= points / 2 || answer.uncounted + 1 > points / 10) return null;
    answer.uncounted += 1;
    return numbered((answer.number += 1), points, { msBeforeNext, isFirstInDuration: false });
  }

  function catchUp(key: string): void {
    const answer = answers.get(key);
    answers.delete(key);
    if (!answer || answer.uncounted === 0 || answer.endsAt <= performance.now()) return;
    // If this fails, the next request fails as well, and reports it.
    count(key, answer.uncounted).catch(() => {});
  }

  return async (key) => {
    const accepted = accept(key);
    if (accepted) return accepted;
    catchUp(key);
    return count(key);
  };
}

/** The result for the request with this number in its window. */
function numbered(
  number: number,
  points: number,
  { msBeforeNext, isFirstInDuration }: Pick<RateLimiterRes, 'msBeforeNext' | 'isFirstInDuration'>,
): RateLimiterRes {
  return new RateLimiterRes(Math.max(0, points - number), msBeforeNext, number, isFirstInDuration);
}
