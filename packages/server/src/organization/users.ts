import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { badRequest, found } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { violates } from '../database/errors.ts';
import { newId } from '../ids.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { userProperties, userTarget } from './audited.ts';
import { changeMember, ensureMayAssignRole } from './change-member.ts';
import { User } from './entities/user.ts';
import { presentUser } from './present-user.ts';
import { resourceModeFor } from './resource-mode.ts';

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
    return pageOf(rows, limit, total, presentUser, ({ name, id }) => [name, id]);
  },

  get: async ({ em, actor: { organizationId }, params: { id } }) =>
    presentUser(found(await em.findOne(User, { id, organizationId }), 'User')),

  create: async ({ body: { email, name, role = 'MEMBER', resourceMode: wanted, password }, ...context }) => {
    const { em, actor, now, ports } = context;
    ensureMayAssignRole(actor, role);
    const { organizationId } = actor;
    const passwordHash = password === undefined ? null : await ports.passwords.hash(password);
    const resourceMode = resourceModeFor(role, { wanted });
    const common = { id: newId(), organizationId, createdAt: now };
    const user = em.create(User, { ...common, email, name, role, resourceMode, status: 'ACTIVE', passwordHash });
    try {
      await em.flush();
    } catch (error) {
      // Addresses are unique across all organizations. The message does not reveal which one uses it.
      if (violates(error, 'users_email_key')) throw badRequest(['email: already in use; use another address']);
      throw error;
    }
    const after = userProperties(user);
    await recordChange(context, { action: 'user.created', target: userTarget(user), after });
    return presentUser(user);
  },

  update: async ({ params, body: { password, ...changes }, ...context }) => {
    const passwordHash = password === undefined ? undefined : await context.ports.passwords.hash(password);
    return presentUser(await changeMember(context, params.id, { ...changes, passwordHash }));
  },

  remove: async ({ params, ...context }) => {
    await changeMember(context, params.id, { status: 'DEACTIVATED' });
  },
};
