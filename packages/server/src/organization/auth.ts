import type { Parts } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import { atomic, type Handlers } from '../access/handler.ts';
import { badRequest, notFound } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { newestFirst } from '../database/newest-first.ts';
import { sessionTarget, userTarget } from './audited.ts';
import { PasswordLink } from './entities/password-link.ts';
import { Session } from './entities/session.ts';
import { User } from './entities/user.ts';
import { listIdentities } from './identities.ts';
import { redeemLink } from './password-links/redeem-link.ts';
import { idleHours } from './session-token.ts';
import { ensurePasswords, presentSession, signIn, signOut } from './sign-in.ts';

/** Browser sessions. */
export const auth: Handlers<Parts['auth']> = {
  // Without a transaction, no database connection is held while the attempt is delayed and the password is verified.
  login: atomic(async ({ body, ...context }) => (await signIn(context, body)).session),

  redeemPasswordLink: atomic(async ({ body, ...context }) => (await redeemLink(context, body)).session),

  logout: async ({ actor, ...context }) => {
    await signOut(context, { ...actor, sessionId: sessionOf(actor) });
  },

  session: async ({ em, actor: { userId, organizationId, ...actor } }) => {
    const user = await em.findOneOrFail(User, { id: userId, organizationId });
    const { expiresAt } = await em.findOneOrFail(Session, { organizationId, id: actor.sessionId ?? '', userId });
    return presentSession(em, user, expiresAt);
  },

  sessions: async ({ em, actor, now, query }) => {
    const { organizationId, userId, sessionId } = actor;
    const lastUsable = new Date(now.getTime() - idleHours * 60 * 60 * 1000);
    const usable = { organizationId, userId, expiresAt: { $gt: now }, lastSeenAt: { $gt: lastUsable } };
    const page = await newestFirst(em, Session, usable, query);
    const present = ({ id, createdAt, lastSeenAt, expiresAt }: Session) => ({
      id,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastSeenAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      isCurrent: id === sessionId,
    });
    return { ...page, data: page.data.map(present) };
  },

  endSession: async ({ params: { id }, ...context }) => {
    const { em, browser, actor } = context;
    const { organizationId, userId, sessionId } = actor;
    const ended = await em.nativeDelete(Session, { organizationId, userId, id });
    if (ended === 0) throw notFound('Session');
    await recordChange(context, { action: 'session.ended', target: sessionTarget(id) });
    if (id === sessionId) browser.dropSession();
  },

  identities: async ({ query, ...context }) => listIdentities(context, context.actor.userId, query),

  changePassword: atomic(async ({ body: { currentPassword, newPassword }, ...context }) => {
    const { em, actor, browser, ports, inTransaction } = context;
    ensurePasswords(ports);
    const { userId, organizationId } = actor;
    const own = { organizationId, id: userId };
    const { email, passwordHash } = await em.findOneOrFail(User, own);
    const succeed = await ports.signInThrottle.attempt(browser.address, email);
    if (!(await ports.passwords.matches(passwordHash ?? null, currentPassword))) throw wrongPassword();
    await succeed();
    const newHash = await ports.passwords.hash(newPassword);
    await inTransaction(async (within) => {
      // Another request may have changed the password in the meantime.
      const changed = await within.nativeUpdate(User, { ...own, passwordHash }, { passwordHash: newHash });
      if (changed === 0) throw wrongPassword();
      await within.nativeDelete(PasswordLink, { organizationId, userId });
      await within.nativeDelete(Session, { organizationId, userId, id: { $ne: sessionOf(actor) } });
      const target = userTarget({ id: userId, email });
      await recordChange({ ...context, em: within }, { action: 'user.password_set', target });
    });
  }),
};

const wrongPassword = () => badRequest('password_incorrect', ['currentPassword: incorrect']);

/** The id of the caller's session, which exists because the endpoints of this group accept only sessions. */
function sessionOf({ sessionId }: Actor): string {
  if (sessionId === null) throw new Error('A session endpoint was called without a session.');
  return sessionId;
}
