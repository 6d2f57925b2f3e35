import type { Contract, Response } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import type { RequestContext } from '../access/request-context.ts';
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
  login: {
    // No connection to the database waits while the attempt is delayed and the password is verified.
    atomic: true,
    handle: async ({ body: { email, password }, ...context }) => {
      const { em, browser, ports } = context;
      const succeed = await ports.signInThrottle.attempt(browser.address, email);
      const user = await em.findOne(User, { email, status: 'ACTIVE' });
      const isRight = await ports.passwords.matches(user?.passwordHash ?? null, password);
      if (!isRight || !user) throw unauthorized(badCredentials);
      await succeed();
      const { tokens, session } = await context.inTransaction((own) => createSession(own, context, user));
      browser.keepSession(tokens);
      return session;
    },
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

  changePassword: {
    atomic: true,
    handle: async ({ em, actor, body: { currentPassword, newPassword }, browser, ports, inTransaction }) => {
      const { userId, organizationId } = actor;
      const own = { organizationId, id: userId };
      const { email, passwordHash } = await em.findOneOrFail(User, own);
      const succeed = await ports.signInThrottle.attempt(browser.address, email);
      if (!(await ports.passwords.matches(passwordHash, currentPassword))) throw wrongPassword();
      await succeed();
      const newHash = await ports.passwords.hash(newPassword);
      await inTransaction(async (within) => {
        // Another request may have changed the password in the meantime.
        const changed = await within.nativeUpdate(User, { ...own, passwordHash }, { passwordHash: newHash });
        if (changed === 0) throw wrongPassword();
        await within.nativeDelete(Session, { organizationId, userId, id: { $ne: sessionOf(actor) } });
      });
    },
  },
};

const wrongPassword = () => badRequest(['currentPassword: incorrect']);

async function createSession(
  em: Em,
  { now, browser }: Pick<RequestContext, 'now' | 'browser'>,
  user: Pick<User, 'organizationId' | 'id' | 'passwordHash'>,
) {
  const { organizationId, id, passwordHash } = user;
  // The member may have been changed while the password was being verified; then no session must be created.
  const verified = { organizationId, id, passwordHash, status: 'ACTIVE' } as const;
  if (!(await lockRow(em, User, verified, 'share'))) throw unauthorized(badCredentials);
  // Prevents session fixation: the previous session of this browser ends.
  if (browser.token) await em.nativeDelete(Session, { tokenHash: hashSessionToken(browser.token) });
  const tokens = newSessionTokens();
  const expiresAt = new Date(now.getTime() + sessionDays * 24 * 60 * 60 * 1000);
  em.create(Session, {
    organizationId,
    id: newId(),
    userId: id,
    tokenHash: hashSessionToken(tokens.token),
    csrfToken: tokens.csrfToken,
    createdAt: now,
    lastSeenAt: now,
    expiresAt,
  });
  await em.flush();
  const member = await em.findOneOrFail(User, { organizationId, id });
  return { tokens, session: await presentSession(em, member, expiresAt) };
}

/** The id of the caller's session. The endpoints of this group accept only sessions, so there is one. */
function sessionOf({ sessionId }: Actor): string {
  if (sessionId === null) throw new Error('A session endpoint was called without a session.');
  return sessionId;
}

async function presentSession(em: Em, user: User, expiresAt: Date): Promise<Response<Contract['auth']['session']>> {
  const { id, name } = await em.findOneOrFail(Organization, { id: user.organizationId });
  return { user: presentUser(user), organization: { id, name }, expiresAt: expiresAt.toISOString() };
}
