import type { Method } from '@runward/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** The remaining requests of a key or session in its window, as the `X-RateLimit-*` headers state it. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, in seconds since the epoch. */
  readonly resetAt: number;
  /** Seconds until the end of the window if the limit is exceeded, else null. */
  readonly retryAfter: number | null;
}

/** Limits of API keys and browser sessions, each of which is counted separately. */
export interface RateLimiter {
  /** Counts a request of a key or session and returns its allowance. */
  spend(callerId: string, method: Method): Promise<Allowance>;
  /** Returns the allowance of a key or session without counting a request. */
  peek(callerId: string, method: Method): Promise<Allowance>;
  /** The allowance of a key or session that has not sent anything yet. */
  unused(method: Method): Allowance;
}

/** Counts by key, up to `points` per window. After that, `consume` rejects with a `RateLimiterRes`. */
export interface Counter {
  readonly points: number;
  consume(key: string): Promise<RateLimiterRes>;
  /** Null if nothing was counted in this window. */
  get(key: string): Promise<RateLimiterRes | null>;
  /** Takes back one count of a `refundable` counter. */
  reward(key: string): Promise<unknown>;
}

/**
 * Creates a counter, in the memory of this process or in a store that several processes share. Counts of a `refundable`
 * counter can be taken back, so a key over its limit is looked up in the store each time. A `frequent` counter counts
 * most requests after it has accepted them.
 */
export type CounterStore = (name: string, limit: number, kind?: 'final' | 'refundable' | 'frequent') => Counter;

/** Length of a window. */
export const windowSeconds = 60;

/** Counters in the memory of this process, which are exact if it is the only process. */
export const inMemory: CounterStore = (name, points) => countInMemory(name, points);

/** An in-memory counter that can also count several requests at once. */
export function countInMemory(name: string, points: number): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds });
}

/**
 * Limits per key or session in fixed windows of 60 s, with separate counts for reads (GET) and writes (spec: Limits).
 */
export function createRateLimiter(
  limits: { readsPerMinute: number; writesPerMinute: number },
  store: CounterStore,
): RateLimiter {
  const reads = store('reads', limits.readsPerMinute, 'frequent');
  const writes = store('writes', limits.writesPerMinute, 'frequent');
  const limiterOf = (method: Method) => (method === 'GET' ? reads : writes);
  const unused = ({ points }: Counter) => new RateLimiterRes(points, windowSeconds * 1000, 0, true);
  return {
    spend: async (callerId, method) => {
      const limiter = limiterOf(method);
      try {
        return allowanceOf(limiter.points, await limiter.consume(callerId), false);
      } catch (rejection) {
        if (rejection instanceof RateLimiterRes) return allowanceOf(limiter.points, rejection, true);
        throw rejection;
      }
    },
    peek: async (callerId, method) => {
      const limiter = limiterOf(method);
      return allowanceOf(limiter.points, (await limiter.get(callerId)) ?? unused(limiter), false);
    },
    unused: (method) => {
      const limiter = limiterOf(method);
      return allowanceOf(limiter.points, unused(limiter), false);
    },
  };
}

function allowanceOf(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Allowance {
  return {
    limit,
    remaining: Math.max(0, remainingPoints),
    resetAt: Math.ceil((Date.now() + msBeforeNext) / 1000),
    retryAfter: exceeded ? Math.max(1, Math.ceil(msBeforeNext / 1000)) : null,
  };
}
