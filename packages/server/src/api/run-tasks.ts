import type { Contract } from '@runward/contract';
import { changeRun } from '../commands/change-run.ts';
import { ensureAssignable } from '../commands/ensure-assignable.ts';
import type { Handlers } from './handler.ts';

/** Direct changes to one task of a run (spec: Runs, detailed operations). */
export const runTasks: Handlers<Contract['runs.tasks']> = {
  setStatus: async ({ params: { taskId: runTaskId }, body: { status }, ...scene }) => {
    await changeRun(scene, { runTaskId }, { type: 'setTaskStatus', runTaskId, status, userId: scene.actor.userId });
  },

  setDueDate: async ({ params: { taskId: runTaskId }, body, ...scene }) => {
    const dueAt = body.dueAt === null ? null : new Date(body.dueAt).toISOString();
    const dueAtHasTime = body.dueAtHasTime ?? true;
    await changeRun(scene, { runTaskId }, { type: 'setDueDate', runTaskId, dueAt, dueAtHasTime });
  },

  setAssignee: async ({ params: { taskId: runTaskId }, body, ...scene }) => {
    const { assigneeId = null, assigneeGroupId = null } = body;
    await changeRun(scene, { runTaskId }, { type: 'assign', runTaskId, assigneeId, assigneeGroupId }, () =>
      ensureAssignable(scene, { assigneeId, assigneeGroupId }),
    );
  },
};
