import type { Access, Capability, Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import type { Actor } from '../access/actor.ts';
import { hasCapability, lacking } from '../access/plan.ts';
import { forbidden, unauthorized } from '../api-error.ts';
import type { RateLimiter } from '../limits/rate-limit.ts';
import { setAllowance } from './allowance.ts';
import { authenticate, type Caller } from './authenticate.ts';
import type { GuardParts } from './guard.ts';

/** Performs the checks before the input is read. Returns the caller, or null for a public endpoint. Throws a 401, 402, 403 or 429. */
export async function admit(ctx: Context, endpoint: Endpoint, parts: GuardParts): Promise<Caller | null> {
  const { access } = endpoint;
  if (access === 'public') return null;
  const caller = await authenticate(parts, ctx);
  const { actor } = caller;
  ctx.state['actor'] = actor;
  await count(ctx, endpoint, actor, parts.rateLimiter);
  ensureAccess(access, actor);
  return caller;
}

/** Counts the request and sets the headers, on each of the errors too. A request without the plan does not count. */
async function count(ctx: Context, endpoint: Endpoint, actor: Actor, { peek, spend }: RateLimiter): Promise<void> {
  const { access, method } = endpoint;
  if (actor.type === 'API_KEY' && isForSessions(access)) {
    await setAllowance(ctx, method, actor, spend);
    throw unauthorized('Authentication required: this endpoint requires a browser session; API keys are not accepted.');
  }
  const locked = neededBy(endpoint, actor).find((capability) => !hasCapability(actor, capability));
  if (locked !== undefined) {
    await setAllowance(ctx, method, actor, peek);
    throw lacking(actor, locked);
  }
  const exceeded = await setAllowance(ctx, method, actor, spend);
  if (exceeded) throw exceeded;
}

/** A request with a key needs API access before anything else. */
function neededBy({ requires }: Endpoint, { type }: Actor): Capability[] {
  return [...(type === 'API_KEY' ? (['publicApi'] as const) : []), ...(requires === undefined ? [] : [requires])];
}

function ensureAccess(access: Access, { scopes, role }: Actor): void {
  if (access === 'administrator' && role === 'MEMBER') {
    throw forbidden('Only owners and admins of the organization may do this; ask one of them.');
  }
  if (access === 'public' || access === 'authenticated' || isForSessions(access)) return;
  if (scopes !== null && !scopes.has(access)) {
    throw forbidden(`The API key lacks the scope ${access}. Use a key that has it.`);
  }
}

function isForSessions(access: Access): access is 'session' | 'administrator' {
  return access === 'session' || access === 'administrator';
}
