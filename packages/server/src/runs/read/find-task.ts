import type { RunState, TaskState } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { found } from '../../api-error.ts';
import { loadRun, type LoadedRun } from '../store/load.ts';
import type { RunTarget } from '../store/target.ts';

/**
 * A task of a run of the organization, and with `forms` also its entries. Throws a 404, or a 403 if it is outside the
 * caller's resource scope.
 */
export async function findTask(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  runTaskId: string,
  { forms } = { forms: false },
): Promise<{ readonly run: LoadedRun; readonly task: TaskState }> {
  const target = { runTaskId };
  const run = found(await loadRun(em, actor.organizationId, target, { forms }), 'Task');
  const task: TaskState = found(taskOf(run.state, target), 'Task');
  ensureInScope(actor, run.template, task);
  return { run, task };
}

/** The task of a run that a task or an entry identifies. Null if the run itself was identified, or has no such task. */
export function taskOf({ tasks }: RunState, target: RunTarget): TaskState | null {
  if ('runId' in target) return null;
  const isIt =
    'runTaskId' in target
      ? ({ id }: TaskState) => id === target.runTaskId
      : ({ entries }: TaskState) => entries.some(({ id }) => id === target.entryId);
  return tasks.find(isIt) ?? null;
}
