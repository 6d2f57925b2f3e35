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
    const blockedBy = tasks.map((task) => blockersOf(state, task).map(({ id }) => id));
    const blocks = new Map<string, string[]>(tasks.map(({ id }) => [id, []]));
    for (const [index, { id }] of tasks.entries())
      for (const other of blockedBy[index] ?? []) blocks.get(other)?.push(id);
    return pageOfAll(
      tasks.map(({ id, definition, status, forceUnblocked }, index) => ({
        runTaskId: id,
        taskId: definition.id,
        title: definition.title,
        status,
        blockedBy: blockedBy[index] ?? [],
        blocks: blocks.get(id) ?? [],
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
