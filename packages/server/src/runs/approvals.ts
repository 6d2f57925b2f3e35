import type { Parts } from '@runward/contract';
import type { Command } from '@runward/engine';
import { atomic, type Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { changeRun, versionOf } from './change/change-run.ts';
import type { ListedFact } from './queries/list-activity.ts';
import { findTask } from './read/find-task.ts';
import { pageOfFacts } from './read/page-of-facts.ts';
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
    const { run } = await findTask(context, taskId);
    const about = { types: Object.keys(types) as TrailType[], property: 'runTaskId', id: taskId } as const;
    return pageOfFacts(context, { organizationId: run.organizationId, runId: run.state.id, about }, query, present);
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

type TrailType = keyof typeof types;

function present({ id, type, at, actorUserId = null, data }: ListedFact) {
  const { entryId, comment = null } = data as { entryId: string; comment?: string | null };
  const trailType = types[type as TrailType];
  return { id, type: trailType, userId: actorUserId, comment, at: at.toISOString(), executionEntryId: entryId };
}
