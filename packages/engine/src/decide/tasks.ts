import type { CommandOf } from '../commands.ts';
import { refuse, type Step } from '../decision.ts';
import { deadline } from '../due.ts';
import { isActive, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';
import { notActive, taskHidden } from './run.ts';

/**
 * Completes a task without its form, or takes it back to PENDING. The status it already has changes nothing, also where setting it
 * the first time ended the run: a caller that repeats itself is not told off.
 */
export function setTaskStatus(run: RunState, command: CommandOf<'setTaskStatus'>, { now }: Clock): Step {
  const { runTaskId, status, userId } = command;
  if (run.tasks.some((task) => task.id === runTaskId && task.status === status)) return { facts: [] };
  return changeTask(run, runTaskId, () => {
    return status === 'COMPLETED'
      ? { facts: [{ type: 'task.completed', at: now, runTaskId, userId, directly: true }] }
      : { facts: [{ type: 'task.reopened', at: now, runTaskId }] };
  });
}

/** Sets or clears the deadline of a task. */
export function setDueDate(run: RunState, command: CommandOf<'setDueDate'>, clock: Clock): Step {
  const { runTaskId } = command;
  return changeTask(run, runTaskId, (task) => {
    const next = deadline(command.dueAt, command.dueAtHasTime, clock);
    const same = task.dueAt === next.dueAt && task.dueAtHasTime === next.dueAtHasTime;
    return { facts: same ? [] : [{ type: 'task.due_date_changed', at: clock.now, runTaskId, ...next }] };
  });
}

/** Gives a task to a user or a group, or to no one. */
export function assign(run: RunState, command: CommandOf<'assign'>, { now }: Clock): Step {
  const { runTaskId, assigneeId, assigneeGroupId } = command;
  return changeTask(run, runTaskId, (task) => {
    const same = task.assigneeId === assigneeId && task.assigneeGroupId === assigneeGroupId;
    return { facts: same ? [] : [{ type: 'task.assigned', at: now, runTaskId, assigneeId, assigneeGroupId }] };
  });
}

/** Runs `change` on a visible task of an active run. */
function changeTask(run: RunState, runTaskId: string, change: (task: TaskState) => Step): Step {
  const task = run.tasks.find((candidate) => candidate.id === runTaskId);
  if (!task) return refuse('unknown_task', `The run has no task ${runTaskId}.`);
  if (!isActive(run)) return notActive(run);
  if (task.hidden) return taskHidden(task);
  return change(task);
}
