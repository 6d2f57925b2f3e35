import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { found } from '../api-error.ts';
import { newestFirst } from '../database/newest-first.ts';
import type { Paging } from '../paging.ts';
import { ensureMayAssignRole } from './change-member.ts';
import { Identity } from './entities/identity.ts';
import { Session } from './entities/session.ts';
import { User } from './entities/user.ts';

/** Accounts of providers with which members sign in. */
export const memberIdentities: Handlers<Parts['memberIdentities']> = {
  identities: async ({ params: { id }, query, ...context }) => {
    const { em, actor } = context;
    found(await em.findOne(User, { id, organizationId: actor.organizationId }), 'User');
    return listIdentities(context, id, query);
  },

  unlink: async ({ em, actor, params: { id } }) => {
    const { organizationId } = actor;
    ensureMayAssignRole(actor, found(await em.findOne(User, { id, organizationId }), 'User').role);
    await em.nativeDelete(Identity, { organizationId, userId: id });
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
