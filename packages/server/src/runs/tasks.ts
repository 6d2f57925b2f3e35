import type { Parts } from '@runward/contract';
import { atomic, type Handlers } from '../access/handler.ts';
import { changeRun } from './change/change-run.ts';

/** Direct changes to one task of a run (spec: Runs, detailed operations). */
export const runTasks: Handlers<Parts['runTasks']> = {
  setStatus: atomic(async ({ params: { taskId: runTaskId }, body: { status }, ...context }) => {
    await changeRun(context, { runTaskId }, { type: 'setTaskStatus', runTaskId, status, userId: context.actor.userId });
  }),

  setDueDate: atomic(async ({ params: { taskId: runTaskId }, body, ...context }) => {
    const dueAt = body.dueAt === null ? null : new Date(body.dueAt).toISOString();
    const { dueAtHasTime } = body;
    await changeRun(context, { runTaskId }, { type: 'setDueDate', runTaskId, dueAt, dueAtHasTime });
  }),

  setAssignee: atomic(async ({ params: { taskId: runTaskId }, body, ...context }) => {
    const { assigneeId, assigneeGroupId } = body;
    await changeRun(context, { runTaskId }, { type: 'assign', runTaskId, assigneeId, assigneeGroupId });
  }),
};
