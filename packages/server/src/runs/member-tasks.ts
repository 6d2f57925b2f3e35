import type { Parts } from '@runward/contract';
import { ensureAssignable } from '../access/ensure-assignable.ts';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { instantOrNull } from '../database/instant.ts';
import { userTarget } from '../organization/audited.ts';
import { User } from '../organization/entities/user.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { handOver } from './change/hand-over.ts';
import { listOpenTasks } from './queries/list-open-tasks.ts';

/** Open tasks of a member. */
export const memberTasks: Handlers<Parts['memberTasks']> = {
  openTasks: async ({ params, query: { limit, cursor }, ...context }) => {
    const { id: userId } = await findMember(context, params.id);
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
    const { organizationId } = context.actor;
    const read = await listOpenTasks(context.em, organizationId, userId, { limit, after });
    return pageOf(
      { ...read, limit },
      (row) => ({ ...row, dueAt: instantOrNull(row.dueAt) }),
      ({ runTaskId }) => [runTaskId],
    );
  },

  handOver: async ({ params, body: { assigneeId = null, assigneeGroupId = null }, ...context }) => {
    const member = await findMember(context, params.id);
    const { id } = member;
    if (assigneeId === id) throw badRequest(['assigneeId: has these tasks already; name somebody else']);
    await ensureAssignable(context, { assigneeId, assigneeGroupId });
    const handedOver = await handOver(context, id, { assigneeId, assigneeGroupId });
    const after = { assigneeId, assigneeGroupId, handedOver };
    await recordChange(context, { action: 'user.tasks_handed_over', target: userTarget(member), after });
    return { handedOver };
  },
};

async function findMember({ em, actor: { organizationId } }: RequestContext, id: string): Promise<User> {
  return found(await em.findOne(User, { id, organizationId }), 'User');
}
