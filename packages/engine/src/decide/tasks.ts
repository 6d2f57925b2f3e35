import type { CommandOf } from '../commands.ts';
import { reject, type CommandResult } from '../decision.ts';
import { deadline } from '../due.ts';
import type { Fact } from '../facts.ts';
import { isActive, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';
import { notActive, taskHidden } from './run.ts';

/**
 * Completes a task without its form, or sets it back to PENDING. Setting the status that the task already has changes nothing, even if
 * the run has ended since, so that a retry is not rejected.
 */
export function setTaskStatus(run: RunState, command: CommandOf<'setTaskStatus'>, { now }: Clock): CommandResult {
  const { runTaskId, status, userId } = command;
  if (run.tasks.some((task) => task.id === runTaskId && task.status === status)) return { facts: [] };
  return changeTask(run, runTaskId, () => {
    return status === 'COMPLETED'
      ? { facts: [{ type: 'task.completed', at: now, runTaskId, userId, directly: true }] }
      : { facts: [{ type: 'task.reopened', at: now, runTaskId, directly: true }] };
  });
}

/** Sets or clears the deadline of a task. Without `dueAtHasTime` a date-only deadline stays date-only, and a new one has a time. */
export function setDueDate(run: RunState, command: CommandOf<'setDueDate'>, clock: Clock): CommandResult {
  const { runTaskId } = command;
  return changeTask(run, runTaskId, (task) => {
    const isNew = task.dueAt === null && command.dueAt !== null;
    const next = deadline(command.dueAt, command.dueAtHasTime ?? (isNew || task.dueAtHasTime), clock);
    const isSame = task.dueAt === next.dueAt && task.dueAtHasTime === next.dueAtHasTime;
    return { facts: isSame ? [] : [{ type: 'task.due_date_changed', at: clock.now, runTaskId, ...next }] };
  });
}

/**
 * Recomputes the deadlines of date-only tasks that are not completed. Hidden tasks are included, because a rule may show them again.
 * A run that has ended keeps its deadlines.
 */
export function moveDeadlines(run: RunState, clock: Clock): CommandResult {
  if (!isActive(run)) return { facts: [] };
  const facts = run.tasks.flatMap((task): Fact[] => {
    if (task.dueAt === null || task.dueAtHasTime || task.status === 'COMPLETED') return [];
    const { deadlineAt } = deadline(task.dueAt, false, clock);
    if (task.deadlineAt === deadlineAt) return [];
    return [{ type: 'task.deadline_moved', at: clock.now, runTaskId: task.id, deadlineAt }];
  });
  return { facts };
}

/** Assigns a task to a user or a group, which replaces its assignee, or removes the user, the group or both. */
export function assign(run: RunState, command: CommandOf<'assign'>, { now }: Clock): CommandResult {
  const { runTaskId, assigneeId, assigneeGroupId } = command;
  return changeTask(run, runTaskId, (task) => {
    if (assigneeId != null && assigneeGroupId != null) return reject('two_assignees', twoAssigneesMessage);
    const isReplaced = assigneeId != null || assigneeGroupId != null;
    const unchanged = isReplaced ? noOne : task;
    const next = {
      assigneeId: assigneeId === undefined ? unchanged.assigneeId : assigneeId,
      assigneeGroupId: assigneeGroupId === undefined ? unchanged.assigneeGroupId : assigneeGroupId,
    };
    const isSame = task.assigneeId === next.assigneeId && task.assigneeGroupId === next.assigneeGroupId;
    return { facts: isSame ? [] : [{ type: 'task.assigned', at: now, runTaskId, ...next }] };
  });
}

const noOne = { assigneeId: null, assigneeGroupId: null };
const twoAssigneesMessage = 'assigneeGroupId: a task has one assignee, a user or a group; send null for one of them';

/** Applies `change` to a visible task of an active run. */
function changeTask(run: RunState, runTaskId: string, change: (task: TaskState) => CommandResult): CommandResult {
  const task = run.tasks.find((candidate) => candidate.id === runTaskId);
  if (!task) return reject('unknown_task', `The run has no task ${runTaskId}; use the id of one of its tasks.`);
  if (!isActive(run)) return notActive(run);
  if (task.hidden) return taskHidden(task);
  return change(task);
}
