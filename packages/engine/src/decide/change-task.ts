import { reject, type CommandResult } from '../decision.ts';
import { isActive, isRetired, type RunState, type TaskState } from '../state.ts';
import { notActive, taskHidden, taskRetired } from './run.ts';

/** Applies `change` to a visible task of an active run. */
export function changeTask(
  run: RunState,
  runTaskId: string,
  change: (task: TaskState) => CommandResult,
): CommandResult {
  const task = run.tasks.find((candidate) => candidate.id === runTaskId);
  if (!task) return reject('validation_failed', `The run has no task ${runTaskId}; use the id of one of its tasks.`);
  return rejectionOf(run, task) ?? change(task);
}

/** Why nothing about a task can be changed; null if it can. */
export function rejectionOf(run: RunState, task: TaskState): CommandResult | null {
  if (!isActive(run)) return notActive(run);
  if (isRetired(task) || task.removedAt !== null) return taskRetired(task);
  if (task.hidden) return taskHidden(task);
  return null;
}
