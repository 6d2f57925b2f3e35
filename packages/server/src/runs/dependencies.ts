import type { Parts } from '@runward/contract';
import { blockersOf } from '@runward/engine';
import { atomic, type Handlers } from '../access/handler.ts';
import { pageOfAll } from '../paging.ts';
import { changeRun } from './change/change-run.ts';
import { findRun } from './read/find-run.ts';
import { presentTaskIn } from './read/present-run.ts';

/** The dependencies between the tasks of a run (spec: Runs, other operations). */
export const runDependencies: Handlers<Parts['runDependencies']> = {
  dependencies: async ({ params, query, ...context }) => {
    const { state } = await findRun(context, params.id);
    const { tasks } = state;
    const blockers = new Map(tasks.map((task) => [task.id, blockersOf(state, task).map(({ id }) => id)]));
    return pageOfAll(
      tasks.map(({ id, definition, status, forceUnblocked }) => ({
        runTaskId: id,
        taskId: definition.id,
        title: definition.title,
        status,
        blockedBy: blockers.get(id) ?? [],
        blocks: tasks.filter((other) => blockers.get(other.id)?.includes(id)).map((other) => other.id),
        forceUnblocked,
      })),
      query,
      context.ports.limits,
    );
  },
};

/** Unblocking of tasks (spec: Runs, other operations). */
export const taskUnblocking: Handlers<Parts['taskUnblocking']> = {
  forceUnblock: atomic(async ({ params: { taskId: runTaskId }, ...context }) => {
    const { state } = await changeRun(context, { runTaskId }, { type: 'forceUnblock', runTaskId });
    return presentTaskIn(state, runTaskId);
  }),
};
