import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { badRequest, found } from '../api-error.ts';
import { violates } from '../database/errors.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { User } from './entities/user.ts';
import { changeMember, ensureMayAssignRole } from './members/change-member.ts';
import { createUser } from './members/create-user.ts';
import { presentUser } from './present-user.ts';

/** Members of the organization (spec: Users). */
export const users: Handlers<Parts['users']> = {
  list: async ({ em, actor: { organizationId }, query: { email, status, limit, cursor } }) => {
    const after = cursor === undefined ? null : decodeCursor(cursor, 'text', 'id');
    const matching = {
      organizationId,
      ...(status !== 'ALL' && { status }),
      ...(email !== undefined && { email }),
    };
    const total = await em.count(User, matching);
    const rows = await em.find(
      User,
      {
        ...matching,
        ...(after && { $or: [{ name: { $gt: after[0] } }, { name: after[0], id: { $gt: after[1] } }] }),
      },
      { orderBy: { name: 'asc', id: 'asc' }, limit: limit + 1 },
    );
    return pageOf({ rows, limit, total }, presentUser, ({ name, id }) => [name, id]);
  },

  get: async ({ em, actor: { organizationId }, params: { id } }) =>
    presentUser(found(await em.findOne(User, { id, organizationId }), 'User')),

  create: async ({ body: { role = 'MEMBER', password, ...member }, ...context }) => {
    ensureMayAssignRole(context.actor, role);
    const passwordHash = password === undefined ? null : await context.ports.passwords.hash(password);
    try {
      return presentUser(await createUser(context, { ...member, role, passwordHash }));
    } catch (error) {
      // Addresses are unique across all organizations. The message does not reveal which one uses it.
      if (violates(error, 'users_email_key'))
        throw badRequest('already_exists', ['email: already in use; use another address']);
      throw error;
    }
  },

  update: async ({ params, body: { password, ...changes }, ...context }) => {
    const passwordHash = password === undefined ? undefined : await context.ports.passwords.hash(password);
    return presentUser(await changeMember(context, params.id, { ...changes, passwordHash }));
  },

  delete: async ({ params, ...context }) => {
    await changeMember(context, params.id, { status: 'DEACTIVATED' });
  },
};
