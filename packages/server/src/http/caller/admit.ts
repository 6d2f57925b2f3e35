import { effectOf, mayCall, type Capability, type Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import { isOfFormLink, type Actor } from '../../access/actor.ts';
import { hasCapability, lacking } from '../../access/plan.ts';
import { forbidden, unauthorized, type ApiError } from '../../api-error.ts';
import { moveRejection } from '../../organization/moves/ensure-served.ts';
import type { GuardParts } from '../guard.ts';
import { setAllowance } from './allowance.ts';
import { authenticate, type Caller } from './authenticate.ts';

/** The properties of an endpoint that determine who may call it. */
type Admission = Pick<Endpoint, 'access' | 'effect' | 'guests' | 'method' | 'requires'>;

/**
 * Performs the checks before the input is read. Returns the caller, or null for a public endpoint. Throws a 401, 402,
 * 403, 421, 429 or 503.
 */
export async function admit(ctx: Context, endpoint: Admission, parts: GuardParts): Promise<Caller | null> {
  if (endpoint.access === 'public') return null;
  const caller = await authenticate(parts, ctx);
  const { actor } = caller;
  ctx.state['actor'] = actor;
  const rejection = rejectionOf(endpoint, caller.actor) ?? moveRejection(caller.move, effectOf(endpoint) === 'write');
  const { status } = rejection ?? {};
  const { spend, peek } = parts.rateLimiter;
  // Errors also have these headers. A request that the plan does not include is not counted.
  const exceeded = await setAllowance(ctx, endpoint.method, actor, status === 402 ? peek : spend);
  if (rejection && status !== 403) throw rejection;
  if (exceeded) throw exceeded;
  if (rejection) throw rejection;
  return caller;
}

/**
 * The caller as the key or session is now. For a request whose body arrived after it was admitted: its key or session
 * may have been revoked or restricted meanwhile. Counts nothing. Throws a 401, 402, 403, 421 or
 * 503.
 */
export async function admitAgain(ctx: Context, endpoint: Admission, parts: GuardParts): Promise<Caller | null> {
  if (endpoint.access === 'public') return null;
  const caller = await authenticate(parts, ctx);
  const rejection = rejectionOf(endpoint, caller.actor) ?? moveRejection(caller.move, effectOf(endpoint) === 'write');
  if (rejection) throw rejection;
  return caller;
}

/**
 * Why a caller may not use an endpoint, apart from the rate limit: a 401 for a key, a 402 or a 403. Null if the caller
 * may use it.
 */
function rejectionOf(endpoint: Admission, actor: Actor): ApiError | null {
  const { access, requires } = endpoint;
  const { type, scopes, role } = actor;
  const isForSessions = access === 'session' || access === 'administrator';
  if (isForSessions && type === 'API_KEY') {
    return unauthorized(
      'session_required',
      'Authentication required: this endpoint requires a browser session; API keys are not accepted.',
    );
  }
  // A missing API access is reported before other missing capabilities.
  const needed: Capability[] = [
    ...(type === 'API_KEY' ? (['publicApi'] as const) : []),
    ...(requires ? [requires] : []),
  ];
  const locked = needed.find((capability) => !hasCapability(actor, capability));
  if (locked !== undefined) return lacking(actor, locked);
  if (type === 'USER') {
    if (isOfFormLink(actor) && access !== 'authenticated' && endpoint.guests !== true) return notWithLink();
    return mayCall(role, endpoint) ? null : notOfRole(access, role);
  }
  if (access === 'public' || access === 'authenticated' || isForSessions) return null;
  if (scopes === null || scopes.has(access)) return null;
  return forbidden('insufficient_scope', `The API key lacks the scope ${access}. Use a key that has it.`);
}

const notWithLink = () => forbidden('form_link_only', 'The link only opens one form; sign in to do anything else.');

function notOfRole(access: Admission['access'], role: Actor['role']): ApiError {
  if (access === 'administrator') {
    return forbidden('insufficient_role', 'Only owners and admins of the organization may do this; ask one of them.');
  }
  return forbidden(
    'insufficient_role',
    `Members with the role ${role} may not do this; ask an owner or admin of the organization.`,
  );
}
