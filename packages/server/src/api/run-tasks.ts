import type { Contract } from '@runward/contract';
import { changeRun } from '../commands/change-run.ts';
import { ensureAssignable } from '../commands/ensure-assignable.ts';
import { atomic, type Handlers } from './handler.ts';

/** Direct changes to one task of a run (spec: Runs, detailed operations). */
export const runTasks: Handlers<Contract['runs.tasks']> = {
  setStatus: atomic(async ({ params: { taskId: runTaskId }, body: { status }, ...scene }) => {
    await changeRun(scene, { runTaskId }, { type: 'setTaskStatus', runTaskId, status, userId: scene.actor.userId });
  }),

  setDueDate: atomic(async ({ params: { taskId: runTaskId }, body, ...scene }) => {
    const dueAt = body.dueAt === null ? null : new Date(body.dueAt).toISOString();
    const dueAtHasTime = body.dueAtHasTime ?? true;
    await changeRun(scene, { runTaskId }, { type: 'setDueDate', runTaskId, dueAt, dueAtHasTime });
  }),

  setAssignee: atomic(async ({ params: { taskId: runTaskId }, body, ...scene }) => {
    const { assigneeId = null, assigneeGroupId = null } = body;
    await changeRun(scene, { runTaskId }, { type: 'assign', runTaskId, assigneeId, assigneeGroupId }, (em) =>
      ensureAssignable({ em, actor: scene.actor }, { assigneeId, assigneeGroupId }),
    );
  }),
};
