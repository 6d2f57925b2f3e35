import { isActive, isOpen, type Command, type RunState } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { ApiError } from '../../api-error.ts';
import { findRunsToHandOver } from '../queries/list-open-tasks.ts';
import { loadRuns } from '../store/load.ts';
import { lockRuns } from '../store/lock.ts';
import { changeRuns } from './change-runs.ts';

/** The new assignee of tasks: a member, a group or nobody. */
export interface NewAssignee {
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
}

/**
 * Assigns all open tasks of a member to someone else, and returns their number. Each run records it in its activity.
 */
export async function handOver(
  context: RequestContext,
  userId: string,
  { assigneeId, assigneeGroupId }: NewAssignee,
): Promise<number> {
  const { em, actor } = context;
  const { organizationId } = actor;
  const assignments = (run: RunState) =>
    run.tasks
      .filter((task) => task.assigneeId === userId && isOpen(task))
      .map(({ id: runTaskId }): Command => ({ type: 'assign', runTaskId, assigneeId, assigneeGroupId }));

  const runIds = await lockRuns(em, organizationId, await findRunsToHandOver(em, organizationId, userId));
  let handedOver = 0;
  for await (const loaded of loadRuns(em, organizationId, runIds)) {
    // A run may have ended before it was locked.
    const runs = loaded.filter(({ state }) => isActive(state));
    const rejections = await changeRuns(context, runs, assignments);
    for (const { code, message } of rejections.values()) throw new ApiError(code, message);
    handedOver += runs.flatMap(({ state }) => assignments(state)).length;
  }
  return handedOver;
}
