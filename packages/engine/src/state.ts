import type { FieldValue, RunStatus, TaskStatus } from '@runward/contract';
import type { TaskDefinition, VariableValue } from './process.ts';
import type { Instant, LocalDate } from './time.ts';

/** A run with everything the rules look at. Values are never changed in place: what is the same object is unchanged. */
export interface RunState {
  readonly id: string;
  readonly publicId: string;
  readonly templateId: string;
  readonly templateVersionId: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly ownerUserId: string;
  readonly scheduledDateLocal: LocalDate;
  readonly variables: Readonly<Record<string, VariableValue>>;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
  readonly cancelledAt: Instant | null;
  readonly archivedAt: Instant | null;
  /** In the order of the document. */
  readonly tasks: readonly TaskState[];
}

/** A task of a run. `deadlineAt` is the moment after which it is overdue: `dueAt`, or the end of that day. */
export interface TaskState {
  readonly id: string;
  readonly definition: TaskDefinition;
  readonly status: TaskStatus;
  readonly hidden: boolean;
  readonly dueAt: Instant | null;
  readonly dueAtHasTime: boolean;
  readonly deadlineAt: Instant | null;
  /** Whether `task.overdue` was said for this deadline. */
  readonly overdueSignalled: boolean;
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
  readonly completedAt: Instant | null;
  readonly completedByUserId: string | null;
  /** Oldest first. */
  readonly entries: readonly EntryState[];
}

/** A form of a task that is being filled in, or was. */
export interface EntryState {
  readonly id: string;
  readonly status: 'OPEN' | 'COMPLETED';
  readonly createdByUserId: string;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
  /** Keys under which this entry was completed; a repeated one changes nothing. */
  readonly completionKeys: readonly string[];
  readonly values: readonly ValueState[];
}

/** The present value of a field in an entry; earlier ones are in the facts. */
export interface ValueState {
  readonly id: string;
  readonly fieldId: string;
  readonly value: FieldValue;
  readonly submittedByUserId: string;
  readonly submittedAt: Instant;
}

/** RUNNING or OVERDUE: work can go on. */
export function isActive(run: Pick<RunState, 'status'>): boolean {
  return run.status === 'RUNNING' || run.status === 'OVERDUE';
}

/** A task somebody still has to do. */
export function isOpen(task: TaskState): boolean {
  return !task.hidden && task.status !== 'COMPLETED';
}

/** An open task without which the run cannot be completed. */
export function isRequiredAndOpen(task: TaskState): boolean {
  return isOpen(task) && task.definition.required;
}

/** Whether a task's deadline has passed and the task is still open. */
export function isPastDue(task: TaskState, now: Instant): boolean {
  return isOpen(task) && task.deadlineAt !== null && task.deadlineAt < now;
}

/** The deadline that has to be looked at next: the earliest of an active run that was not signalled yet. */
export function nextDeadline(run: RunState): Instant | null {
  if (!isActive(run)) return null;
  const deadlines = run.tasks
    .filter((task) => isOpen(task) && !task.overdueSignalled)
    .map((task) => task.deadlineAt)
    .filter((deadline) => deadline !== null);
  return deadlines.reduce<Instant | null>((least, next) => (least === null || next < least ? next : least), null);
}
