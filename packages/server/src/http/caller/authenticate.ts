import type { Context } from 'koa';
import type { Actor } from '../../access/actor.ts';
import { confirmed, KeyChanged, type KeyCheck } from '../../access/key-check.ts';
import { hashApiKey, isApiKey } from '../../organization/api-key-token.ts';
import { hashSessionToken, isSameToken } from '../../organization/session-token.ts';
import type { Database, Em } from '../../database/database.ts';
import { touchApiKey } from '../../organization/queries/find-api-key.ts';
import { findSession, touchSession } from '../../organization/queries/find-session.ts';
import { forbidden, unauthorized } from '../../api-error.ts';
import { csrfHeader, sessionCookie } from './browser.ts';
import type { KeyLookup, KnownKey } from './key-lookup.ts';

/** The authenticated caller, and what to record after the request. */
export interface Caller {
  readonly actor: Actor;
  /** Records the use of the key or session; null if a use was recorded within the last minute. */
  readonly touch: ((em: Em) => Promise<void>) | null;
  /** The API key; null for a session. */
  readonly key: KnownKey | null;
  readonly keyCheck: KeyCheck;
  /** False as long as a cached key was not confirmed. */
  readonly isConfirmed: () => boolean;
}

/** What authenticating needs. */
interface AuthenticationParts {
  readonly database: Database;
  readonly keys: KeyLookup;
}

const isTrue = () => true;

/**
 * Authenticates the caller, or throws a 401. With an Authorization header, cookies are ignored; otherwise the session cookie counts, and
 * writes must carry the CSRF token (403).
 */
export async function authenticate({ database, keys }: AuthenticationParts, ctx: Context): Promise<Caller> {
  const authorization = ctx.get('authorization');
  if (authorization) return fromKey(keys, authorization);
  const token = ctx.cookies.get(sessionCookie);
  if (token) return fromSession(database.em.fork(), ctx, token);
  throw unauthorized('Authentication required: send the header "Authorization: Bearer sk_live_…".');
}

/** The caller with a key that this process has cached, which the handler has to confirm; null if it has not, or for a session. */
export function authenticateFromCache({ keys }: Pick<AuthenticationParts, 'keys'>, ctx: Context): Caller | null {
  const plainKey = keyIn(ctx.get('authorization'));
  if (plainKey === undefined) return null;
  const hash = hashApiKey(plainKey);
  const key = keys.cached(hash.toString('hex'));
  if (!key) return null;
  let isConfirmed = false;
  const confirm = (usableKey: string | null) => {
    if (usableKey !== key.text) throw new KeyChanged();
    isConfirmed = true;
  };
  return { actor: key.actor, touch: touchOf(key), key, keyCheck: { hash, confirm }, isConfirmed: () => isConfirmed };
}

async function fromKey(keys: KeyLookup, authorization: string): Promise<Caller> {
  const plainKey = keyIn(authorization);
  const key = plainKey && isApiKey(plainKey) ? await keys.find(hashApiKey(plainKey).toString('hex')) : null;
  if (!key) {
    throw unauthorized(
      'Authentication required: the API key is malformed, unknown, revoked or expired; use a valid key.',
    );
  }
  return { actor: key.actor, touch: touchOf(key), key, keyCheck: confirmed, isConfirmed: isTrue };
}

function touchOf(known: KnownKey): Caller['touch'] {
  if (!known.isStale) return null;
  return async (em) => {
    known.isStale = false;
    await touchApiKey(em, known.key);
  };
}

/** The key in an Authorization header, whether or not it is valid. */
export function keyIn(authorization: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

async function fromSession(em: Em, ctx: Context, token: string): Promise<Caller> {
  const session = await findBrowserSession(em, token);
  if (!session) throw unauthorized('Authentication required: the session has expired; sign in again.');
  const { csrfToken, caller } = session;
  if (ctx.method !== 'GET') {
    ensureSameSite(ctx);
    if (!isSameToken(ctx.get(csrfHeader), csrfToken)) {
      throw forbidden(
        `The CSRF token is missing or wrong; send the value of the cookie flow_csrf in the header ${csrfHeader}.`,
      );
    }
  }
  return caller;
}

/** Throws a 403 for a request that a page of another site has caused. */
export function ensureSameSite(ctx: Context): void {
  if (ctx.get('sec-fetch-site') !== 'cross-site') return;
  throw forbidden('Cross-site requests are rejected; send the request from a page of this service.');
}

/** A session that may be used now. */
export interface BrowserSession {
  readonly caller: Caller;
  /** The name of the member. */
  readonly name: string;
  /** What its writes have to repeat. */
  readonly csrfToken: string;
}

/** The session of a token, or null if it cannot be used any more. */
export async function findBrowserSession(em: Em, token: string): Promise<BrowserSession | null> {
  const session = await findSession(em, hashSessionToken(token));
  if (!session) return null;
  const { id, organizationId, plan, timeZone, userId, role, name, csrfToken, isStale } = session;
  const caller: Caller = {
    actor: {
      type: 'USER',
      organizationId,
      plan,
      timeZone,
      userId,
      apiKeyId: null,
      sessionId: id,
      role,
      scopes: null,
      resourceScope: { mode: 'ALL' },
    },
    touch: isStale ? (own) => touchSession(own, session) : null,
    key: null,
    keyCheck: confirmed,
    isConfirmed: isTrue,
  };
  return { caller, name, csrfToken };
}
