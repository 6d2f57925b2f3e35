import type { Method } from '@runward/contract';
import type { Context } from 'koa';
import type { Actor } from '../../access/actor.ts';
import { tooManyRequests, type ApiError } from '../../api-error.ts';
import type { RateLimiter } from '../../limits/rate-limit.ts';

/** What is counted: an API key, or a browser session. */
function counterOf({ apiKeyId, sessionId, userId }: Actor): string {
  return apiKeyId ?? sessionId ?? userId;
}

/** Sets the `X-RateLimit-*` headers. Returns the 429 if the limit is exceeded, else null. */
export async function setAllowance(
  ctx: Context,
  method: Method,
  actor: Actor,
  allowanceOf: RateLimiter['spend'],
): Promise<ApiError | null> {
  const { limit, remaining, resetAt, retryAfter } = await allowanceOf(counterOf(actor), method);
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(resetAt));
  if (retryAfter === null) return null;
  return tooManyRequests(`Rate limit of ${limit} requests per minute exceeded; retry in ${retryAfter} s.`, retryAfter);
}
