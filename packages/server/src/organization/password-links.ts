import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { completeByMail, notYetMailed } from '../access/links/link-mail.ts';
import type { RequestContext } from '../access/request-context.ts';
import { found } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { userTarget } from './audited.ts';
import { PasswordLink } from './entities/password-link.ts';
import { User } from './entities/user.ts';
import { ensureMayAssignRole } from './members/change-member.ts';
import { linkCreated, mailOf, newLink, saveLink } from './password-links/create-link.ts';

/** Links with which members set their password. */
export const passwordLinks: Handlers<Parts['passwordLinks']> = {
  password: async ({ em, actor: { organizationId }, params: { id } }) => {
    const { passwordHash } = found(await em.findOne(User, { organizationId, id }), 'User');
    const link = await em.findOne(PasswordLink, { organizationId, userId: id });
    return { isSet: passwordHash != null, link: link && presentLink(link) };
  },

  createPasswordLink: {
    handle: async ({ params, ...context }) => {
      const { em, now, ports } = context;
      const user = await findManaged(context, params.id);
      const link = newLink(user, ports.baseUrl, now);
      await saveLink(em, link);
      await recordChange(context, linkCreated(user, link));
      const { purpose, expiresAt } = link.row;
      return { url: link.url, purpose, expiresAt: expiresAt.toISOString(), ...notYetMailed(ports.smtp) };
    },
    complete: async ({ params, ports, ...context }, link) => {
      if (!ports.smtp) return link;
      return completeByMail(link, ports.smtp, await mailOf(context.em, await findManaged(context, params.id), link));
    },
  },

  revokePasswordLink: async ({ params, ...context }) => {
    const user = await findManaged(context, params.id);
    const { organizationId, id: userId } = user;
    const revoked = await context.em.nativeDelete(PasswordLink, { organizationId, userId });
    if (revoked === 0) return;
    await recordChange(context, { action: 'user.password_link_revoked', target: userTarget(user) });
  },
};

/** A member whom the caller may manage. Throws a 404 or 403. */
async function findManaged({ em, actor }: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<User> {
  const user = found(await em.findOne(User, { organizationId: actor.organizationId, id }), 'User');
  ensureMayAssignRole(actor, user.role);
  return user;
}

function presentLink({ purpose, createdAt, expiresAt }: PasswordLink) {
  return { purpose, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
