import { isActive, isOpen, type TaskState } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { findRunsToHandOver } from './queries/list-open-tasks.ts';
import { badRequest } from '../api-error.ts';
import { authorOf, carryOut, lockAndLoad } from './change-run.ts';

/** Who gets tasks: a member or a group. */
export interface NewAssignee {
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
}

/**
 * Gives all open tasks of a member to somebody else; answers how many. Every task goes through the engine, so that its run's activity
 * tells of it. Runs are locked in the order of their ids.
 */
export async function handOver(
  { em, actor, now, wake }: RequestContext,
  userId: string,
  to: NewAssignee,
): Promise<number> {
  const { organizationId } = actor;
  const isTheirs = (task: TaskState) => task.assigneeId === userId && isOpen(task);
  let handedOver = 0;
  for (const runId of await findRunsToHandOver(em, organizationId, userId)) {
    const run = await lockAndLoad(em, organizationId, { runId });
    // It may have ended before it could be locked.
    if (!run || !isActive(run.state)) continue;
    let { state, activityCount } = run;
    for (const { id: runTaskId } of run.state.tasks.filter(isTheirs)) {
      const command = { type: 'assign', runTaskId, ...to } as const;
      const outcome = await carryOut(em, { ...run, state, activityCount }, command, authorOf(actor), now);
      if (!outcome) throw new Error('A run changed although its row was locked.');
      if (outcome.rejection) throw badRequest(outcome.rejection.message);
      state = outcome.state;
      activityCount += outcome.facts.length;
      handedOver += 1;
    }
  }
  if (handedOver > 0) wake();
  return handedOver;
}
