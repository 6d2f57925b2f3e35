import type { CommandOf } from '../commands.ts';
import { reject, type CommandResult } from '../decision.ts';
import { isActive, isRequiredAndOpen, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';

/** Changes the title of an active run. */
export function rename(run: RunState, { title }: CommandOf<'rename'>, { now }: Clock): CommandResult {
  if (!isActive(run)) return notActive(run);
  return { facts: title === run.title ? [] : [{ type: 'run.renamed', at: now, title }] };
}

/** Completes an active run if no required visible task is open. */
export function complete(run: RunState, { now }: Clock): CommandResult {
  if (!isActive(run)) return notActive(run);
  const open = run.tasks.filter(isRequiredAndOpen);
  if (open.length > 0) {
    const titles = open.map((task) => `"${task.definition.title}"`).join(', ');
    return reject('required_tasks_open', `Required tasks are still open: ${titles}; complete them first.`);
  }
  return { facts: [{ type: 'run.completed', at: now, automatically: false }] };
}

/** Ends an active run without completing it. */
export function cancel(run: RunState, { now }: Clock): CommandResult {
  return isActive(run) ? { facts: [{ type: 'run.cancelled', at: now }] } : notActive(run);
}

/** Makes a completed or cancelled run active again. Its tasks do not change. */
export function reopen(run: RunState, { now }: Clock): CommandResult {
  return isActive(run)
    ? reject('run_active', `The run is ${run.status}; only a completed or cancelled run can be reopened.`)
    : { facts: [{ type: 'run.reopened', at: now }] };
}

/** Archives a completed or cancelled run. */
export function archive(run: RunState, { now }: Clock): CommandResult {
  if (isActive(run))
    return reject('run_active', `The run "${run.title}" is ${run.status}; complete or cancel it first.`);
  return { facts: run.archivedAt === null ? [{ type: 'run.archived', at: now }] : [] };
}

/** Brings an archived run back into the lists. */
export function unarchive(run: RunState, { now }: Clock): CommandResult {
  return { facts: run.archivedAt === null ? [] : [{ type: 'run.unarchived', at: now }] };
}

/** Rejects a change of a run that is completed or cancelled. */
export function notActive(run: RunState): CommandResult {
  return reject('run_terminal', `The run is ${run.status}; reopen it first.`);
}

/** Rejects a change of a hidden task. */
export function taskHidden(task: TaskState): CommandResult {
  const { title } = task.definition;
  return reject(
    'task_hidden',
    `The task "${title}" is hidden by a rule; change the values that the rule depends on first.`,
  );
}

/** Rejects a change of a retired task, which belongs to an earlier version of the run. */
export function taskRetired({ definition }: TaskState): CommandResult {
  return reject(
    'task_retired',
    `The task "${definition.title}" is not part of the version that the run follows; migrate the run to a version with the task to change it.`,
  );
}
