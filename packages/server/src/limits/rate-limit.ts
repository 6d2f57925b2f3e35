import type { Method } from '@runward/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** What a key has left in its window, as the `X-RateLimit-*` headers tell it. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends, in seconds since 1970. */
  readonly resetAt: number;
  /** Seconds until then where the limit is exceeded, else null. */
  readonly retryAfter: number | null;
}

/** Limits of API keys. */
export interface RateLimiter {
  /** Counts a request of a key and tells what is left. */
  spend(keyId: string, method: Method): Promise<Allowance>;
  /** Tells what is left without counting. */
  look(keyId: string, method: Method): Promise<Allowance>;
}

/** Counts by key up to `points` in each window; what goes beyond is refused with a `RateLimiterRes`. */
export interface Counter {
  readonly points: number;
  consume(key: string): Promise<RateLimiterRes>;
  /** Null where nothing was counted in this window. */
  get(key: string): Promise<RateLimiterRes | null>;
}

/** Where counters are kept: in this process alone, or in a store that several processes share. */
export type CounterStore = (name: string, limit: number) => Counter;

/** How long a window lasts. */
export const windowSeconds = 60;

/** Counters of this process; exact while it is the only one. */
export const inMemory: CounterStore = (name, points) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds });

/** Limits per key in fixed windows of 60 s, reads (GET) and writes apart (spec: Limits). */
export function createRateLimiter(
  limits: { readsPerMinute: number; writesPerMinute: number },
  store: CounterStore,
): RateLimiter {
  const reads = store('reads', limits.readsPerMinute);
  const writes = store('writes', limits.writesPerMinute);
  const limiterOf = (method: Method) => (method === 'GET' ? reads : writes);
  return {
    spend: async (keyId, method) => {
      const limiter = limiterOf(method);
      try {
        return allowance(limiter.points, await limiter.consume(keyId), false);
      } catch (rejection) {
        if (rejection instanceof RateLimiterRes) return allowance(limiter.points, rejection, true);
        throw rejection;
      }
    },
    look: async (keyId, method) => {
      const limiter = limiterOf(method);
      const fresh = new RateLimiterRes(limiter.points, windowSeconds * 1000, 0, true);
      return allowance(limiter.points, (await limiter.get(keyId)) ?? fresh, false);
    },
  };
}

function allowance(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes, exceeded: boolean): Allowance {
  return {
    limit,
    remaining: Math.max(0, remainingPoints),
    resetAt: Math.ceil((Date.now() + msBeforeNext) / 1000),
    retryAfter: exceeded ? Math.max(1, Math.ceil(msBeforeNext / 1000)) : null,
  };
}
