import type { Body, Contract } from '@runward/contract';
import type { Command, Rejection, RunState, TaskState } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { notFound } from '../../api-error.ts';
import type { LoadedRun } from '../store/load.ts';
import { lockRunsOfTasks } from '../store/lock.ts';
import { changeRuns, ensureNone, inBatches } from './change-runs.ts';
import { decideAll, type Circumstances } from './decide-and-save.ts';
import { assignees, ensureAssignees } from './ensure-references.ts';

type Changes = Body<Contract['runs.tasks']['bulkUpdate']>;

interface TaskCommand {
  readonly runTaskId: string;
  readonly command: Command;
}

/**
 * Changes tasks of several runs in the same way, all or none. Must run in a transaction. Throws a 404, a 403, or a 400
 * that names each task that cannot be changed.
 */
export async function changeTasks(context: RequestContext, { taskIds, ...changes }: Changes): Promise<void> {
  const { em, actor } = context;
  const named = new Set(taskIds);
  const commandsOf = (run: RunState) =>
    commandsOn(
      run.tasks.filter(({ id }) => named.has(id)),
      changes,
      actor.userId,
    );
  let found = 0;
  const rejections = new Map<string, Rejection>();
  const runIds = await lockRunsOfTasks(em, actor.organizationId, taskIds);
  await inBatches(context, runIds, assignees(changes), async (runs) => {
    for (const run of runs) {
      found += run.state.tasks.filter(({ id }) => named.has(id)).length;
      ensureAssignees(run.referents, changes);
      for (const [id, rejection] of rejectionsOf(run, commandsOf(run.state), context)) rejections.set(id, rejection);
    }
    // What follows a rejection is only examined, so that the response names all of them.
    if (rejections.size === 0) await changeRuns(context, runs, (run) => commandsOf(run).map(({ command }) => command));
  });
  if (found < named.size) throw notFound('Task');
  ensureNone('taskIds', taskIds, rejections);
}

/** Completing a required task comes last, because it can complete the run, and then no other task can be changed. */
function commandsOn(tasks: readonly TaskState[], changes: Omit<Changes, 'taskIds'>, userId: string): TaskCommand[] {
  const { status, assigneeId, assigneeGroupId, dueAt, dueAtHasTime } = changes;
  const optionalFirst = tasks.toSorted(
    (one, other) => Number(one.definition.required) - Number(other.definition.required),
  );
  const commands: TaskCommand[] = [];
  const add = (command: Command & { readonly runTaskId: string }) => {
    commands.push({ runTaskId: command.runTaskId, command });
  };
  for (const { id: runTaskId } of tasks) {
    if (dueAt !== undefined) add({ type: 'setDueDate', runTaskId, dueAt, dueAtHasTime });
    if (assigneeId !== undefined || assigneeGroupId !== undefined) {
      add({ type: 'assign', runTaskId, assigneeId, assigneeGroupId });
    }
  }
  if (status === undefined) return commands;
  for (const { id: runTaskId } of optionalFirst) add({ type: 'setTaskStatus', runTaskId, status, userId });
  return commands;
}

/** The first rejection of each task, by its id. */
function rejectionsOf(run: LoadedRun, commands: readonly TaskCommand[], context: Circumstances): [string, Rejection][] {
  let { state } = run;
  const rejections = new Map<string, Rejection>();
  for (const { runTaskId, command } of commands) {
    const decision = decideAll({ ...run, state }, [command], context);
    if (decision.rejection === null) ({ state } = decision);
    else if (!rejections.has(runTaskId)) rejections.set(runTaskId, decision.rejection);
  }
  return [...rejections];
}
