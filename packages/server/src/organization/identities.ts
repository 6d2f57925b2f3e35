import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { found } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { newestFirst } from '../database/newest-first.ts';
import type { Paging } from '../paging.ts';
import { userTarget } from './audited.ts';
import { Identity } from './entities/identity.ts';
import { Session } from './entities/session.ts';
import { User } from './entities/user.ts';
import { ensureMayAssignRole } from './members/change-member.ts';

/** Accounts of providers with which members sign in. */
export const memberIdentities: Handlers<Parts['memberIdentities']> = {
  identities: async ({ params: { id }, query, ...context }) => {
    const { em, actor } = context;
    found(await em.findOne(User, { id, organizationId: actor.organizationId }), 'User');
    return listIdentities(context, id, query);
  },

  unlink: async ({ params: { id }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    const user = found(await em.findOne(User, { id, organizationId }), 'User');
    ensureMayAssignRole(actor, user.role);
    const linked = await em.find(Identity, { organizationId, userId: id });
    const before = { accounts: linked.map(({ issuer, subject }) => ({ issuer, subject })) };
    await em.nativeDelete(Identity, { organizationId, userId: id });
    if (linked.length > 0) {
      await recordChange(context, { action: 'user.identity_unlinked', target: userTarget(user), before });
    }
    await em.nativeDelete(Session, { organizationId, userId: id, issuer: { $ne: null } });
  },
};

/** A page of the accounts of a member, as the API returns it. */
export async function listIdentities(
  { em, actor: { organizationId }, ports }: Pick<RequestContext, 'em' | 'actor' | 'ports'>,
  userId: string,
  paging: Paging,
) {
  const page = await newestFirst(em, Identity, { organizationId, userId }, paging);
  const present = ({ id, issuer, subject, createdAt, lastUsedAt }: Identity) => ({
    id,
    provider: ports.signInMethods.providers.find((each) => each.issuer === issuer)?.name ?? null,
    issuer,
    subject,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
  });
  return { ...page, data: page.data.map(present) };
}
