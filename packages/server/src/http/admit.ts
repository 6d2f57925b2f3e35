import type { Access, Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { Actor } from '../access/actor.ts';
import { hasCapability, lacking } from '../access/plan.ts';
import { forbidden, tooManyRequests, unauthorized } from '../api-error.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import { authenticate, type Caller } from './authenticate.ts';
import type { GuardParts } from './guard.ts';

/** Performs the checks before the input is read. Returns the caller, or null for a public endpoint. Throws a 401, 402, 403 or 429. */
export async function admit(ctx: Context, endpoint: Endpoint, parts: GuardParts): Promise<Caller | null> {
  const { access } = endpoint;
  if (access === 'public') return null;
  const caller = await authenticate(parts, ctx);
  const { actor } = caller;
  ctx.state['actor'] = actor;
  if (actor.type === 'API_KEY') await admitKey(ctx, endpoint, actor, parts.rateLimiter);
  ensureAccess(access, actor);
  return caller;
}

async function admitKey(ctx: Context, endpoint: Endpoint, actor: Actor, { peek, spend }: RateLimiter): Promise<void> {
  if (isForSessions(endpoint.access)) {
    throw unauthorized('Authentication required: this endpoint requires a browser session; API keys are not accepted.');
  }
  if (!hasCapability(actor, 'publicApi')) {
    await setAllowance(ctx, endpoint, actor, peek);
    throw lacking(actor, 'publicApi');
  }
  await setAllowance(ctx, endpoint, actor, spend);
}

/** Sets the `X-RateLimit-*` headers. Throws a 429 if the limit is exceeded. */
async function setAllowance(
  ctx: Context,
  { method }: Endpoint,
  actor: Actor,
  allowanceOf: RateLimiter['spend'],
): Promise<void> {
  const { limit, remaining, resetAt, retryAfter } = await allowanceOf(actor.apiKeyId ?? actor.userId, method);
  ctx.set('X-RateLimit-Limit', String(limit));
  ctx.set('X-RateLimit-Remaining', String(remaining));
  ctx.set('X-RateLimit-Reset', String(resetAt));
  if (retryAfter !== null) {
    throw tooManyRequests(`Rate limit of ${limit} requests per minute exceeded; retry in ${retryAfter} s.`, retryAfter);
  }
}

function ensureAccess(access: Access, { scopes, role }: Actor): void {
  if (access === 'administrator' && role === 'MEMBER') {
    throw forbidden('Only owners and admins of the organization may do this; ask one of them.');
  }
  if (access === 'public' || isForSessions(access)) return;
  if (scopes !== null && !scopes.has(access)) {
    throw forbidden(`The API key lacks the scope ${access}. Use a key that has it.`);
  }
}

function isForSessions(access: Access): access is 'session' | 'administrator' {
  return access === 'session' || access === 'administrator';
}
