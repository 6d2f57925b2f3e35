import type { Contract } from '@runward/contract';
import { hashPassword } from '../access/password.ts';
import { changeMember, ensureMayMake } from '../commands/change-member.ts';
import { ensureAssignable } from '../commands/ensure-assignable.ts';
import { handOver } from '../commands/hand-over.ts';
import { User } from '../db/entities/user.ts';
import { instantOrNull } from '../db/instant.ts';
import { listOpenTasks } from '../db/queries/list-open-tasks.ts';
import { violates } from '../db/transaction.ts';
import { badRequest, found } from '../fault.ts';
import { newId } from '../ids.ts';
import type { Handlers, Scene } from './handler.ts';
import { decodeCursor, pageOf } from './paging.ts';
import { presentUser } from './present-user.ts';

/** Members of the organization (spec: Users). */
export const users: Handlers<Contract['users']> = {
  list: async ({ em, actor: { organizationId }, query: { limit, cursor } }) => {
    const after = cursor === undefined ? null : decodeCursor(cursor, 'text', 'id');
    const total = await em.count(User, { organizationId });
    const rows = await em.find(
      User,
      {
        organizationId,
        ...(after && { $or: [{ name: { $gt: after[0] } }, { name: after[0], id: { $gt: after[1] } }] }),
      },
      { orderBy: { name: 'asc', id: 'asc' }, limit: limit + 1 },
    );
    return pageOf(rows, limit, total, presentUser, ({ name, id }) => [name, id]);
  },

  create: async ({ em, actor, now, body: { email, name, role = 'MEMBER', password } }) => {
    ensureMayMake(actor, role);
    const { organizationId } = actor;
    const passwordHash = await hashPassword(password);
    const common = { id: newId(), organizationId, createdAt: now };
    const user = em.create(User, { ...common, email, name, role, status: 'ACTIVE', passwordHash });
    try {
      await em.flush();
    } catch (error) {
      // Addresses are unique over all organizations; which one has it is nobody's business.
      if (violates(error, 'users_email_key')) throw badRequest(['email: is taken; use another address']);
      throw error;
    }
    return presentUser(user);
  },

  update: async ({ params, body: { password, ...changes }, ...scene }) => {
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    return presentUser(await changeMember(scene, params.id, { ...changes, passwordHash }));
  },

  remove: async ({ params, ...scene }) => {
    await changeMember(scene, params.id, { status: 'DEACTIVATED' });
  },

  openTasks: async ({ params, query: { limit, cursor }, ...scene }) => {
    const { id: userId } = await findMember(scene, params.id);
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
    const { organizationId } = scene.actor;
    const { rows, total } = await listOpenTasks(scene.em, organizationId, { userId }, { limit, after });
    return pageOf(
      rows,
      limit,
      total,
      (row) => ({ ...row, dueAt: instantOrNull(row.dueAt) }),
      ({ runTaskId }) => [runTaskId],
    );
  },

  handOver: async ({ params, body: { assigneeId = null, assigneeGroupId = null }, ...scene }) => {
    const { id } = await findMember(scene, params.id);
    if (assigneeId === id) throw badRequest(['assigneeId: has these tasks already; name somebody else']);
    await ensureAssignable(scene, { assigneeId, assigneeGroupId });
    return { handedOver: await handOver(scene, id, { assigneeId, assigneeGroupId }) };
  },
};

async function findMember({ em, actor: { organizationId } }: Scene, id: string): Promise<User> {
  return found(await em.findOne(User, { id, organizationId }), 'User');
}
