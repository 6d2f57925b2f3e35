import type { Method } from '@runward/contract';
import type { Context, Next } from 'koa';
import type { Actor } from '../../access/actor.ts';
import { tooManyRequests, type ApiError } from '../../api-error.ts';
import type { Allowance, RateLimiter } from '../../limits/rate-limit.ts';

/** What is counted: an API key, or a browser session. */
function counterOf({ apiKeyId, sessionId, userId }: Actor): string {
  return apiKeyId ?? sessionId ?? userId;
}

/** Sets the `X-RateLimit-*` headers to those of the caller. Returns the 429 if the limit is exceeded, else null. */
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
  return tooManyRequests(`Rate limit of ${limit} requests per minute exceeded; retry in ${retryAfter} s.`, retryAfter);
}

/** Every response has these headers (spec: Limits, 2). If it is not known who called, they are those of a caller who has sent nothing yet. */
export function stateAllowance({ unused }: RateLimiter) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } finally {
      if (!ctx.res.hasHeader('X-RateLimit-Limit')) state(ctx, unused(countedAs(ctx.method)));
    }
  };
}

/** The method that a request counts as. It may match no endpoint. */
export function countedAs(method: string): Method {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'GET' : 'POST';
}

function state(ctx: Context, { limit, remaining, resetAt }: Allowance): void {
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(resetAt));
}
