import type { Contract, Response } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import { hashSessionToken, newSessionTokens, sessionDays } from './session-token.ts';
import type { Em } from '../database/database.ts';
import { Organization } from './entities/organization.ts';
import { Session } from './entities/session.ts';
import { User } from './entities/user.ts';
import { lockRow } from '../database/lock-row.ts';
import { badRequest, unauthorized } from '../api-error.ts';
import { newId } from '../ids.ts';
import type { Handlers } from '../access/handler.ts';
import { presentUser } from './present-user.ts';

const badCredentials = 'The email address or password is incorrect.';

/** Browser sessions. */
export const auth: Handlers<Contract['auth']> = {
  login: async ({ em, now, body: { email, password }, browser, ports: { signInThrottle, passwords } }) => {
    await signInThrottle.ensureAllowed(browser.address, email);
    const user = await em.findOne(User, { email, status: 'ACTIVE' });
    if (!(await passwords.matches(user?.passwordHash ?? null, password)) || !user) {
      await signInThrottle.fail(browser.address, email);
      throw unauthorized(badCredentials);
    }

    // The password may have been changed while it was being verified; then no session must be created.
    const { organizationId, id, passwordHash } = user;
    const verified = { organizationId, id, passwordHash, status: 'ACTIVE' } as const;
    if (!(await lockRow(em, User, verified, 'share'))) throw unauthorized(badCredentials);
    // Prevents session fixation: the previous session of this browser ends.
    if (browser.token) await em.nativeDelete(Session, { tokenHash: hashSessionToken(browser.token) });
    const tokens = newSessionTokens();
    const expiresAt = new Date(now.getTime() + sessionDays * 24 * 60 * 60 * 1000);
    em.create(Session, {
      organizationId: user.organizationId,
      id: newId(),
      userId: user.id,
      tokenHash: hashSessionToken(tokens.token),
      csrfToken: tokens.csrfToken,
      createdAt: now,
      lastSeenAt: now,
      expiresAt,
    });
    await em.flush();
    const session = await presentSession(em, user, expiresAt);
    browser.keepSession(tokens);
    return session;
  },

  logout: async ({ em, actor, browser }) => {
    const { organizationId, userId } = actor;
    await em.nativeDelete(Session, { organizationId, id: sessionOf(actor), userId });
    browser.dropSession();
  },

  session: async ({ em, actor: { userId, organizationId, ...actor } }) => {
    const user = await em.findOneOrFail(User, { id: userId, organizationId });
    const { expiresAt } = await em.findOneOrFail(Session, { organizationId, id: actor.sessionId ?? '', userId });
    return presentSession(em, user, expiresAt);
  },

  changePassword: async ({ em, actor, body: { currentPassword, newPassword }, browser, ports }) => {
    const { userId, organizationId } = actor;
    const user = await em.findOneOrFail(User, { id: userId, organizationId });
    await ports.signInThrottle.ensureAllowed(browser.address, user.email);
    if (!(await ports.passwords.matches(user.passwordHash, currentPassword))) {
      await ports.signInThrottle.fail(browser.address, user.email);
      throw badRequest(['currentPassword: incorrect']);
    }
    user.passwordHash = await ports.passwords.hash(newPassword);
    await em.flush();
    await em.nativeDelete(Session, { organizationId, userId, id: { $ne: sessionOf(actor) } });
  },
};

/** The id of the caller's session. The endpoints of this group accept only sessions, so there is one. */
function sessionOf({ sessionId }: Actor): string {
  if (sessionId === null) throw new Error('A session endpoint was called without a session.');
  return sessionId;
}

async function presentSession(em: Em, user: User, expiresAt: Date): Promise<Response<Contract['auth']['session']>> {
  const { id, name } = await em.findOneOrFail(Organization, { id: user.organizationId });
  return { user: presentUser(user), organization: { id, name }, expiresAt: expiresAt.toISOString() };
}
