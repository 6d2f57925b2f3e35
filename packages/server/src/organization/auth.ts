import type { Parts } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import { atomic, type Handlers } from '../access/handler.ts';
import { badRequest } from '../api-error.ts';
import { Session } from './entities/session.ts';
import { User } from './entities/user.ts';
import { presentSession, signIn, signOut } from './sign-in.ts';

/** Browser sessions. */
export const auth: Handlers<Parts['auth']> = {
  // Without a transaction, no database connection is held while the attempt is delayed and the password is verified.
  login: atomic(async ({ body, ...context }) => (await signIn(context, body)).session),

  logout: async ({ actor, ...context }) => {
    await signOut(context, { ...actor, sessionId: sessionOf(actor) });
  },

  session: async ({ em, actor: { userId, organizationId, ...actor } }) => {
    const user = await em.findOneOrFail(User, { id: userId, organizationId });
    const { expiresAt } = await em.findOneOrFail(Session, { organizationId, id: actor.sessionId ?? '', userId });
    return presentSession(em, user, expiresAt);
  },

  changePassword: atomic(
    async ({ em, actor, body: { currentPassword, newPassword }, browser, ports, inTransaction }) => {
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
  ),
};

const wrongPassword = () => badRequest(['currentPassword: incorrect']);

/** The id of the caller's session, which exists because the endpoints of this group accept only sessions. */
function sessionOf({ sessionId }: Actor): string {
  if (sessionId === null) throw new Error('A session endpoint was called without a session.');
  return sessionId;
}
