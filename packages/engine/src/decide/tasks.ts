import type { CommandOf } from '../commands.ts';
import { reject, type CommandResult } from '../decision.ts';
import { deadline } from '../due.ts';
import type { Fact, FactOf } from '../facts.ts';
import { graphOf } from '../rules/graph.ts';
import { isActive, lacksApproval, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';
import { approvalMissing } from './approval-decisions.ts';
import { blockersOf, unblocked } from './blocking.ts';
import { changeTask } from './change-task.ts';

/**
 * Completes a task without its form, or sets it back to PENDING. Setting the current status again changes nothing, even
 * after the run has ended, so that a retry is not rejected.
 */
export function setTaskStatus(run: RunState, command: CommandOf<'setTaskStatus'>, { now }: Clock): CommandResult {
  const { runTaskId, status, userId } = command;
  if (run.tasks.some((task) => task.id === runTaskId && task.status === status)) return { facts: [] };
  return changeTask(run, runTaskId, (task) => {
    if (task.status === 'BLOCKED') return taskBlocked(run, task);
    const needsApproval = status === 'COMPLETED' ? lacksApproval(task) : task.status === 'PENDING_APPROVAL';
    if (needsApproval) return approvalMissing(task);
    return status === 'COMPLETED'
      ? { facts: [{ type: 'task.completed', at: now, runTaskId, userId, directly: true }] }
      : { facts: [{ type: 'task.reopened', at: now, runTaskId, directly: true }] };
  });
}

/** Lets a blocked task be completed before the tasks that it depends on. It is not blocked again later. */
export function forceUnblock(run: RunState, { runTaskId }: CommandOf<'forceUnblock'>, clock: Clock): CommandResult {
  return changeTask(run, runTaskId, (task) => {
    if (task.forceUnblocked) return { facts: [] };
    if (task.status !== 'BLOCKED') {
      return reject('task_not_blocked', `The task "${task.definition.title}" is ${task.status}, not BLOCKED.`);
    }
    return { facts: unblocked(task, true, clock) };
  });
}

/** Rejects the completion of a task that depends on open tasks. */
export function taskBlocked(run: RunState, task: TaskState): CommandResult {
  const titles = blockersOf(run, task).map(({ definition }) => `"${definition.title}"`);
  return reject(
    'task_blocked',
    `The task "${task.definition.title}" is blocked by ${titles.join(', ')}; complete them first, or unblock the task.`,
  );
}

/**
 * Sets or clears the deadline of a task. Without `dueAtHasTime`, a date-only deadline stays date-only, and a new
 * deadline has a time.
 */
export function setDueDate(run: RunState, command: CommandOf<'setDueDate'>, clock: Clock): CommandResult {
  const { runTaskId } = command;
  return changeTask(run, runTaskId, (task) => {
    const isNew = task.dueAt === null && command.dueAt !== null;
    const hasTime = command.dueAtHasTime ?? (isNew || task.dueAtHasTime);
    const next = deadline(command.dueAt, hasTime, task.definition.due, clock);
    const isSame = task.dueAt === next.dueAt && task.dueAtHasTime === next.dueAtHasTime;
    return { facts: isSame ? [] : [{ type: 'task.due_date_changed', at: clock.now, runTaskId, ...next }] };
  });
}

/**
 * Recomputes the deadlines and reminders of tasks that are not completed, including hidden ones, because a rule may
 * show them again. Does not change a run that has ended.
 */
export function moveDeadlines(run: RunState, clock: Clock): CommandResult {
  if (!isActive(run)) return { facts: [] };
  return { facts: run.tasks.flatMap((task) => movedDeadline(task, clock) ?? []) };
}

/** Recomputes the deadlines of what was reopened, because the time zone may have changed since it was completed. */
export function reopenedDeadlines(before: RunState, run: RunState, clock: Clock): Fact[] {
  if (!isActive(run) || (isActive(before) && run.tasks === before.tasks)) return [];
  const ended = isActive(before) ? before.tasks.filter(({ status }) => status === 'COMPLETED') : before.tasks;
  const endedIds = new Set(ended.map(({ id }) => id));
  return run.tasks.flatMap((task) => {
    const moved = endedIds.has(task.id) ? movedDeadline(task, clock) : null;
    // A reminder alone does not move: if it was sent, it would be sent again.
    return moved && moved.deadlineAt !== task.deadlineAt ? [moved] : [];
  });
}

/** Null if the task is completed, or if its deadline and its reminder are right. */
function movedDeadline(task: TaskState, clock: Clock): FactOf<'task.deadline_moved'> | null {
  if (task.dueAt === null || task.status === 'COMPLETED') return null;
  const { dueAt: _, dueAtHasTime: _t, ...next } = deadline(task.dueAt, task.dueAtHasTime, task.definition.due, clock);
  if (task.deadlineAt === next.deadlineAt && task.dueSoonAt === (next.dueSoonAt ?? null)) return null;
  return { type: 'task.deadline_moved', at: clock.now, runTaskId: task.id, ...next };
}

/** Assigns a task to a user or a group, replacing the current assignee, or removes the user, the group or both. */
export function assign(run: RunState, command: CommandOf<'assign'>, { now }: Clock): CommandResult {
  const { runTaskId, assigneeId, assigneeGroupId } = command;
  return changeTask(run, runTaskId, (task) => {
    if (assigneeId != null && assigneeGroupId != null) return reject('validation_failed', twoAssigneesMessage);
    const isReplaced = assigneeId != null || assigneeGroupId != null;
    const unchanged = isReplaced ? noOne : task;
    const next = {
      assigneeId: assigneeId === undefined ? unchanged.assigneeId : assigneeId,
      assigneeGroupId: assigneeGroupId === undefined ? unchanged.assigneeGroupId : assigneeGroupId,
    };
    // Rules never replace an assignee that a person has set, even if a rule had set the same one.
    const isFinal = task.assignedManually || !graphOf(run.document).effects.has(`assignee:${task.definition.id}`);
    const isSame = isFinal && task.assigneeId === next.assigneeId && task.assigneeGroupId === next.assigneeGroupId;
    return { facts: isSame ? [] : [{ type: 'task.assigned', at: now, runTaskId, ...next, byRule: false }] };
  });
}

const noOne = { assigneeId: null, assigneeGroupId: null };
const twoAssigneesMessage = 'assigneeGroupId: a task has one assignee, a user or a group; send null for one of them';
