import type { Contract, Response } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import type { RequestContext } from '../access/request-context.ts';
import { forbidden, unauthorized } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import type { Em } from '../database/database.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { sessionTarget } from './audited.ts';
import { Organization } from './entities/organization.ts';
import { Session } from './entities/session.ts';
import { User } from './entities/user.ts';
import { beginWriting } from './moves/ensure-served.ts';
import { presentUser } from './present-user.ts';
import { recordRejection } from './record-rejection.ts';
import { hashSessionToken, newSessionTokens, sessionDays } from './session-token.ts';

type SessionView = Response<Contract['auth']['session']>;

const badCredentials = 'The email address or password is incorrect.';

/** A session that has begun, and what its forms have to repeat. */
export interface SignedIn {
  readonly session: SessionView;
  readonly csrfToken: string;
}

/** What began a session, if a provider or a form link did. */
export type SessionOrigin = Pick<Session, 'issuer' | 'providerSessionId'> & Partial<Pick<Session, 'formLinkId'>>;

const byPassword: SessionOrigin = { issuer: null, providerSessionId: null };

/** Throws a 403 if members must not use passwords. */
export function ensurePasswords({ signInMethods }: RequestContext['ports']): void {
  if (signInMethods.byPassword) return;
  const names = signInMethods.providers.map(({ name }) => name).join(' or ');
  throw forbidden('passwords_disabled', `Passwords are switched off; sign in with ${names} on the page /sign-in.`);
}

/**
 * Starts a session of a member, which is stored in the browser. Returns it with what its forms have to repeat. Throws a
 * 401, a 403 if passwords are switched off, or a 429 after too many failures. Must not be called in a transaction.
 */
export async function signIn(
  context: Pick<RequestContext, 'em' | 'inTransaction' | 'now' | 'browser' | 'ports' | 'afterRollback'>,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const { em, browser, ports } = context;
  ensurePasswords(ports);
  const succeed = await ports.signInThrottle.attempt(browser.address, email);
  const member = await em.findOne(User, { email });
  const user = member?.status === 'ACTIVE' ? member : null;
  const isRight = await ports.passwords.matches(user?.passwordHash ?? null, password);
  if (member && (!isRight || !user)) recordRejection(context, member);
  if (!isRight || !user) throw unauthorized('invalid_credentials', badCredentials);
  await succeed();
  const { tokens, session } = await context.inTransaction((own) => createSession(own, context, user));
  browser.keepSession(tokens);
  return { session, csrfToken: tokens.csrfToken };
}

/** Ends a session, and removes it from the browser. */
export async function signOut(
  context: Pick<RequestContext, 'inTransaction' | 'browser' | 'now'>,
  actor: Actor & { readonly sessionId: string },
): Promise<void> {
  const { organizationId, userId, sessionId } = actor;
  await context.inTransaction(async (em) => {
    await beginWriting(em, organizationId);
    await em.nativeDelete(Session, { organizationId, id: sessionId, userId });
    await recordChange({ ...context, em, actor }, { action: 'session.ended', target: sessionTarget(sessionId) });
  });
  context.browser.dropSession();
}

/**
 * Creates a session of an active member whose password was verified or set, or whom a provider has signed in, in a
 * transaction. The session that the browser had before ends. Throws a 401 if the member was changed meanwhile, and a
 * 421 or 503 if their organization is moved to another cell.
 */
export async function createSession(
  em: Em,
  { now, browser }: Pick<RequestContext, 'now' | 'browser'>,
  user: Pick<User, 'organizationId' | 'id' | 'passwordHash'>,
  origin: SessionOrigin = byPassword,
) {
  const { organizationId, id, passwordHash } = user;
  await beginWriting(em, organizationId);
  // If the member was changed while the password was verified, no session may be created.
  const verified = { organizationId, id, passwordHash, status: 'ACTIVE' } as const;
  if (!(await lockRow(em, User, verified, 'share'))) throw unauthorized('invalid_credentials', badCredentials);
  // Prevents session fixation: the previous session of this browser ends.
  if (browser.token) await em.nativeDelete(Session, { tokenHash: hashSessionToken(browser.token) });
  const tokens = newSessionTokens();
  const expiresAt = new Date(now.getTime() + sessionDays * 24 * 60 * 60 * 1000);
  const { id: sessionId } = em.create(Session, {
    organizationId,
    id: newId(),
    userId: id,
    tokenHash: hashSessionToken(tokens.token),
    csrfToken: tokens.csrfToken,
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
    ...origin,
  });
  await em.flush();
  const actor = { organizationId, type: 'USER', userId: id, apiKeyId: null } as const;
  await recordChange({ em, now, browser, actor }, { action: 'session.started', target: sessionTarget(sessionId) });
  const member = await em.findOneOrFail(User, { organizationId, id });
  return { tokens, session: await presentSession(em, member, expiresAt) };
}

/** A session, as the API returns it. */
export async function presentSession(em: Em, user: User, expiresAt: Date): Promise<SessionView> {
  const { id, name } = await em.findOneOrFail(Organization, { id: user.organizationId });
  return { user: presentUser(user), organization: { id, name }, expiresAt: expiresAt.toISOString() };
}
