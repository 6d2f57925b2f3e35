import type { Parts } from '@runward/contract';
import type { Command } from '@runward/engine';
import { atomic, type Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { changeRun, versionOf } from './change/change-run.ts';
import { listApprovalTrail, type TrailRow } from './queries/list-approval-trail.ts';
import { findTask } from './read/find-task.ts';
import { presentTaskIn } from './read/present-run.ts';

/** Approvals of tasks (spec: Runs, other operations). */
export const taskApprovals: Handlers<Parts['taskApprovals']> = {
  approve: atomic(async ({ params: { taskId: runTaskId }, body, ...context }) => {
    const { userId } = context.actor;
    const comment = body?.comment ?? null;
    return decide(context, runTaskId, { type: 'grantApproval', runTaskId, comment, userId, groupIds: [] });
  }),

  reject: atomic(async ({ params: { taskId: runTaskId }, body: { comment }, ...context }) => {
    const { userId } = context.actor;
    return decide(context, runTaskId, { type: 'rejectApproval', runTaskId, comment, userId, groupIds: [] });
  }),

  approvalTrail: async ({ params: { taskId }, query, ...context }) => {
    const { em, ports } = context;
    const { run } = await findTask(context, taskId);
    const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 'number')[0];
    const page = { limit: query.limit, bytes: ports.limits.pageBytes, before };
    const { rows, limit, total } = await listApprovalTrail(
      em,
      { organizationId: run.organizationId, runId: run.state.id, taskId },
      page,
    );
    return pageOf(rows, limit, total, present, ({ sequence }) => [sequence]);
  },
};

async function decide(context: RequestContext, runTaskId: string, command: Command) {
  const run = await changeRun(context, { runTaskId }, command);
  return { ...presentTaskIn(run.state, runTaskId), version: versionOf(run) };
}

const types = {
  'approval.requested': 'REQUESTED',
  'approval.granted': 'GRANTED',
  'approval.rejected': 'REJECTED',
  'approval.invalidated': 'INVALIDATED',
} as const;

function present({ id, type, at, actorUserId, entryId, comment }: TrailRow) {
  return { id, type: types[type], userId: actorUserId, comment, at, executionEntryId: entryId };
}
