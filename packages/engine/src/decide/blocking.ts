import { dueAfterUnblocking } from '../due.ts';
import type { Fact } from '../facts.ts';
import { isOpen, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';

/**
 * Which tasks a command blocks or unblocks. A task is BLOCKED while a visible task that it depends on is not completed,
 * unless it was unblocked by force. Completed tasks stay completed. Unblocking a task sets a deadline that counts from
 * it; blocking clears that deadline again.
 */
export function blockingChanges(before: RunState, run: RunState, clock: Clock): Fact[] {
  if (before.tasks === run.tasks) return [];
  const tasks = new Map(run.tasks.map((task) => [task.definition.id, task]));
  return run.tasks.flatMap((task): Fact[] => {
    const isBlocked = task.status === 'BLOCKED';
    if (task.status === 'COMPLETED' || shouldBlock(task, tasks) === isBlocked) return [];
    return isBlocked ? unblocked(task, false, clock) : blocked(task, clock);
  });
}

/** The facts of a task that is no longer blocked. */
export function unblocked(task: TaskState, forced: boolean, clock: Clock): Fact[] {
  const fact: Fact = { type: 'task.unblocked', at: clock.now, runTaskId: task.id, forced };
  const due = task.dueAt === null ? dueAfterUnblocking(task.definition.due, clock) : null;
  return due ? [fact, { type: 'task.due_date_changed', at: clock.now, runTaskId: task.id, ...due }] : [fact];
}

/** The tasks that a BLOCKED task waits for. Empty for any other status. */
export function blockersOf({ tasks }: RunState, { status, definition }: TaskState): TaskState[] {
  if (status !== 'BLOCKED') return [];
  const dependencies = new Set(definition.dependencies);
  return tasks.filter((task) => dependencies.has(task.definition.id) && isOpen(task));
}

function shouldBlock({ definition, forceUnblocked }: TaskState, tasks: ReadonlyMap<string, TaskState>): boolean {
  if (forceUnblocked) return false;
  return definition.dependencies.some((id) => {
    const dependency = tasks.get(id);
    return dependency !== undefined && isOpen(dependency);
  });
}

function blocked(task: TaskState, { now }: Clock): Fact[] {
  const fact: Fact = { type: 'task.blocked', at: now, runTaskId: task.id };
  if (task.definition.due?.from !== 'UNBLOCKED' || task.dueAt === null) return [fact];
  const cleared = { dueAt: null, dueAtHasTime: task.dueAtHasTime, deadlineAt: null };
  return [fact, { type: 'task.due_date_changed', at: now, runTaskId: task.id, ...cleared }];
}
