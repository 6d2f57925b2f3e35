import type { Method } from '@runward/contract';
import type { Context, Next } from 'koa';
import type { Actor } from '../../access/actor.ts';
import { tooManyRequests, type ApiError } from '../../api-error.ts';
import type { Allowance, RateLimiter } from '../../limits/rate-limit.ts';

/** Requests are counted per API key or browser session. */
function counterOf({ apiKeyId, sessionId, userId }: Actor): string {
  return apiKeyId ?? sessionId ?? userId;
}

/** Sets the `X-RateLimit-*` headers of the caller. Returns the 429 if the limit is exceeded, else null. */
export async function setAllowance(
  ctx: Context,
  method: Method,
  actor: Actor,
  allowanceOf: RateLimiter['spend'],
): Promise<ApiError | null> {
  const allowance = await allowanceOf(counterOf(actor), method);
  state(ctx, allowance);
  const { limit, retryAfter } = allowance;
  if (retryAfter === null) return null;
  return tooManyRequests(
    'rate_limited',
    `Rate limit of ${limit} requests per minute exceeded; retry in ${retryAfter} s.`,
    retryAfter,
  );
}

/**
 * Sets the rate limit headers, which every response has (spec: Limits, 2). If the caller is unknown, they are those of
 * a caller who has not sent anything yet.
 */
export function stateAllowance({ unused }: RateLimiter) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } finally {
      if (!ctx.res.hasHeader('X-RateLimit-Limit')) state(ctx, unused(countedAs(ctx.method)));
    }
  };
}

/** The method that a request counts as, whether or not an endpoint has its method. */
export function countedAs(method: string): Method {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'GET' : 'POST';
}

function state(ctx: Context, { limit, remaining, resetAt }: Allowance): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(resetAt));
}
