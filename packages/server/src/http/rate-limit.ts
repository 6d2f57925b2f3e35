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

const windowSeconds = 60;

/** Limits per key in fixed windows of 60 s, reads (GET) and writes apart (spec: Limits). */
export function createRateLimiter(limits: { readsPerMinute: number; writesPerMinute: number }): RateLimiter {
  const reads = new RateLimiterMemory({ points: limits.readsPerMinute, duration: windowSeconds });
  const writes = new RateLimiterMemory({ points: limits.writesPerMinute, duration: windowSeconds });
  const limiterOf = (method: Method) => (method === 'GET' ? reads : writes);
  return {
    spend: async (keyId, method) => {
      const limiter = limiterOf(method);
      try {
        return allowance(limiter.points, await limiter.consume(keyId), false);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return allowance(limiter.points, refusal, true);
        throw refusal;
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
