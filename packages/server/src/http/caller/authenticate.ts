import type { Context } from 'koa';
import { memberActor, type Actor } from '../../access/actor.ts';
import { resourceScopeOfMember } from '../../access/resource-scope/of-member.ts';
import { forbidden, unauthorized } from '../../api-error.ts';
import type { Em } from '../../database/database.ts';
import { hashApiKey, isApiKey } from '../../organization/api-key-token.ts';
import type { MoveStep } from '../../organization/entities/organization-move.ts';
import { moveRejection } from '../../organization/moves/ensure-served.ts';
import { findSession, touchSession } from '../../organization/queries/find-session.ts';
import { hashSessionToken, isSameToken } from '../../organization/session-token.ts';
import type { GuardParts } from '../guard.ts';
import { csrfHeader, sessionCookie } from './browser.ts';
import { keyLookup } from './key-lookup.ts';

/** The authenticated caller, and what to record after the request. */
export interface Caller {
  readonly actor: Actor;
  /** How far the move of the organization to another cell is; null if there is none. */
  readonly move: MoveStep | null;
  /** Records the use of the key or session; null if a use was recorded within the last minute. */
  readonly touch: ((em: Em) => Promise<void>) | null;
}

/** The parts that authentication needs. */
type Authentication = Pick<GuardParts, 'database' | 'baseUrl'>;

/**
 * Authenticates the caller, or throws a 401, or a 421 or 503 if the organization is served by another cell. With an
 * Authorization header, cookies are ignored; otherwise the session cookie counts, and writes must carry the CSRF token
 * (403).
 */
export async function authenticate(parts: Authentication, ctx: Context): Promise<Caller> {
  const authorization = ctx.get('authorization');
  if (authorization) return fromKey(parts.database.em, authorization);
  const token = ctx.cookies.get(sessionCookie);
  if (token) return fromSession(parts, ctx, token);
  throw unauthorized(
    'authentication_required',
    'Authentication required: send the header "Authorization: Bearer sk_live_…".',
  );
}

async function fromKey(em: Em, authorization: string): Promise<Caller> {
  const plainKey = keyIn(authorization);
  const caller = plainKey && isApiKey(plainKey) ? await em.shared(keyLookup)({ em, hash: hashApiKey(plainKey) }) : null;
  if (!caller) {
    throw unauthorized(
      'invalid_api_key',
      'Authentication required: the API key is malformed, unknown, revoked or expired; use a valid key.',
    );
  }
  ensureServed(caller);
  return caller;
}

/** Throws a 421 or 503 if another cell serves the organization. */
function ensureServed({ move }: Caller): void {
  const rejection = moveRejection(move, false);
  if (rejection) throw rejection;
}

/** The key in an Authorization header, whether or not it is valid. */
export function keyIn(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

async function fromSession(parts: Authentication, ctx: Context, token: string): Promise<Caller> {
  const session = await findBrowserSession(parts.database.em.fork(), token);
  if (!session)
    throw unauthorized('session_expired', 'Authentication required: the session has expired; sign in again.');
  const { csrfToken, caller } = session;
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    ensureSameOrigin(ctx, parts);
    if (!isSameToken(ctx.get(csrfHeader), csrfToken)) {
      throw forbidden(
        'invalid_csrf_token',
        `The CSRF token is missing or wrong; send the value of the cookie flow_csrf in the header ${csrfHeader}.`,
      );
    }
  }
  return caller;
}

/** Throws a 403 if the browser states that a page of another origin caused the request. */
export function ensureSameOrigin(ctx: Context, { baseUrl }: Pick<GuardParts, 'baseUrl'>): void {
  const [site, origin] = [ctx.get('sec-fetch-site'), ctx.get('origin')];
  // Clients may reach the service by several names, and a proxy may end TLS.
  const own = [new URL(baseUrl).origin, `https://${ctx.host}`, `http://${ctx.host}`];
  if (['', 'none', 'same-origin'].includes(site) && ['', ...own].includes(origin)) return;
  throw forbidden('cross_origin', 'Cross-origin requests are rejected; send the request from a page of this service.');
}

/** A session that may be used now. */
export interface BrowserSession {
  readonly caller: Caller;
  /** The name of the member. */
  readonly name: string;
  /** The token that its writes must repeat. */
  readonly csrfToken: string;
}

/** The session of a token, or null if it is not usable. Throws a 421 or 503 if another cell serves the organization. */
export async function findBrowserSession(em: Em, token: string): Promise<BrowserSession | null> {
  const session = await findSession(em, hashSessionToken(token));
  if (!session) return null;
  const { id, organizationId, plan, timeZone, userId, role, name, csrfToken, move, isStale } = session;
  const caller: Caller = {
    actor: memberActor({ organizationId, plan, timeZone, userId, role, sessionId: id }, resourceScopeOfMember(session)),
    move,
    touch: isStale ? (own) => touchSession(own, session) : null,
  };
  ensureServed(caller);
  return { caller, name, csrfToken };
}
