import type { Body, Contract } from '@runward/contract';
import type { Command, RunState, TaskState } from '@runward/engine';
import { ensureAssignable } from '../access/ensure-assignable.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, notFound } from '../api-error.ts';
import { changeRuns } from './change-runs.ts';
import { decideAll } from './decide-and-save.ts';
import { RunTask } from './entities/run-task.ts';
import { lockAndLoadRuns } from './lock-and-load-runs.ts';
import type { LoadedRun } from './store/load.ts';

type Changes = Body<Contract['runs.tasks']['bulkUpdate']>;

/** A command on a task, and the task. */
interface TaskCommand {
  readonly runTaskId: string;
  readonly command: Command;
}

/**
 * Changes tasks of several runs in the same way, all or none. Must run in a transaction. Throws a 404, a 403, or a 400 that names each task
 * that cannot be changed.
 */
export async function changeTasks(context: RequestContext, { taskIds, ...changes }: Changes): Promise<void> {
  const { em, actor } = context;
  const { organizationId } = actor;
  const tasks = await em.find(
    RunTask,
    { organizationId, id: { $in: taskIds } },
    { fields: ['id', 'runId'], disableIdentityMap: true },
  );
  if (tasks.length < taskIds.length) throw notFound('Task');
  const runs = await lockAndLoadRuns(context, [...new Set(tasks.map(({ runId }) => runId))]);
  await ensureAssignable(context, changes);

  const named = new Set(taskIds);
  // A migration may have removed a task before its run was locked.
  const present = runs.flatMap(({ state }) => state.tasks.filter(({ id }) => named.has(id)));
  if (present.length < taskIds.length) throw notFound('Task');
  const commandsOf = (run: RunState) =>
    commandsOn(
      run.tasks.filter(({ id }) => named.has(id)),
      changes,
      actor.userId,
    );
  const rejections = new Map(runs.flatMap((run) => rejectionsOf(run, commandsOf(run.state), context.now)));
  const problems = taskIds.flatMap((id, index) => {
    const message = rejections.get(id);
    return message === undefined ? [] : [`taskIds[${index}]: ${message}`];
  });
  if (problems.length > 0) throw badRequest(problems);
  await changeRuns(context, runs, (run) => commandsOf(run).map(({ command }) => command));
}

/** Completing a required task can complete the run, after which no other task could be changed, so that comes last. */
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

/** The first rejection of each task, as pairs of id and message. */
function rejectionsOf(run: LoadedRun, commands: readonly TaskCommand[], now: Date): [string, string][] {
  let { state } = run;
  const rejections = new Map<string, string>();
  for (const { runTaskId, command } of commands) {
    const decision = decideAll({ ...run, state }, [command], now);
    if (decision.rejection === null) ({ state } = decision);
    else if (!rejections.has(runTaskId)) rejections.set(runTaskId, decision.rejection.message);
  }
  return [...rejections];
}
