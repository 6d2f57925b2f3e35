import type { FieldType, FieldValue, RunStatus, TaskStatus } from '@runward/contract';
import type { FieldDefinition, ProcessDocument, TaskDefinition, VariableDefinition, VariableValue } from './process.ts';
import type { Instant, LocalDate } from './time.ts';
import { isFilled } from './values.ts';
import { isOfType } from './variables.ts';

/** A run with everything its rules depend on. It is never mutated: an unchanged part stays the same object. */
export interface RunState {
  readonly id: string;
  readonly publicId: string;
  readonly templateId: string;
  readonly templateVersionId: string;
  /** The later version whose rules the run uses; null if it uses the rules of its own version. */
  readonly rulesVersionId: string | null;
  readonly title: string;
  readonly status: RunStatus;
  readonly ownerUserId: string;
  readonly scheduledDateLocal: LocalDate;
  /** The values of the flow variables at launch. */
  readonly variables: Readonly<Record<string, VariableValue>>;
  /** Values that rules give flow variables instead. */
  readonly ruleVariables: Readonly<Record<string, VariableValue>>;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
  readonly cancelledAt: Instant | null;
  readonly archivedAt: Instant | null;
  /** When the run first became OVERDUE; null if it never did. Reopening does not change it. */
  readonly firstOverdueAt: Instant | null;
  /** The document that the run follows: its version, with the rules of `rulesVersionId` if that is set. */
  readonly document: ProcessDocument;
  /** Tasks in document order, followed by the retired ones. */
  readonly tasks: readonly TaskState[];
  /** Tasks that migrations removed, by id, in their last state. Migrating to a version with the task restores it. */
  readonly removedTasks: readonly TaskState[];
}

/**
 * A task of a run. It is overdue after `deadlineAt`, which is `dueAt`, or the end of that day if `dueAt` has no time.
 */
export interface TaskState {
  readonly id: string;
  readonly definition: TaskDefinition;
  readonly status: TaskStatus;
  readonly hidden: boolean;
  /** Whether the task is COMPLETED, or would be without its open entries. */
  readonly done: boolean;
  /** Fields that rules hide. */
  readonly hiddenFieldIds: readonly string[];
  /** Whether somebody unblocked the task before the tasks that it depends on were completed. */
  readonly forceUnblocked: boolean;
  /** The approval of its form since the last request. Null if there was no request, or it is no longer valid. */
  readonly approval: ApprovalState | null;
  readonly dueAt: Instant | null;
  readonly dueAtHasTime: boolean;
  readonly deadlineAt: Instant | null;
  /** When `task.due_soon` is due; null after it was recorded for this deadline, and if there is no reminder. */
  readonly dueSoonAt: Instant | null;
  /** Whether `task.overdue` was recorded for this deadline. */
  readonly overdueSignalled: boolean;
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
  /** Whether a person assigned or unassigned the task in this run. Rules then do not change its assignee. */
  readonly assignedManually: boolean;
  /** When work on the task last became possible: at launch, or when it was unblocked or shown. Null if it never was. */
  readonly availableAt: Instant | null;
  readonly completedAt: Instant | null;
  readonly completedByUserId: string | null;
  /**
   * The last version that contained the task; null while the run's version contains it. Only a completed task can be
   * retired.
   */
  readonly retiredFromVersionId: string | null;
  /** When a migration removed the task; null for current tasks of the run. */
  readonly removedAt: Instant | null;
  /** Oldest first, without discarded ones. */
  readonly entries: readonly EntryState[];
}

/** The approval of one entry of a task. REQUESTED: the entry cannot be completed until it is GRANTED. */
export interface ApprovalState {
  readonly status: 'REQUESTED' | 'GRANTED' | 'REJECTED';
  /** The entry that is approved. */
  readonly entryId: string;
  readonly requestedAt: Instant;
  readonly decidedAt: Instant | null;
  /** Whether a value differs from the one that was decided on. */
  readonly isOutdated: boolean;
  /** Oldest first. Several if all approvers have to agree. */
  readonly decisions: readonly ApprovalDecision[];
}

/** What one approver decided. */
export interface ApprovalDecision {
  readonly userId: string;
  /** The approver groups that this member belonged to at that time. */
  readonly groupIds: readonly string[];
  readonly decision: 'GRANTED' | 'REJECTED';
  readonly comment: string | null;
  readonly at: Instant;
}

/** One filled-in form of a task, open or completed. */
export interface EntryState {
  readonly id: string;
  readonly status: 'OPEN' | 'COMPLETED';
  readonly createdByUserId: string;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
  /** Idempotency keys that completed this entry; repeating one changes nothing. */
  readonly completionKeys: readonly string[];
  /** Values of the fields of the task. */
  readonly values: readonly ValueState[];
  /**
   * Values that a migration set aside, because the task no longer has the field or the value does not fit it. They
   * count as not submitted.
   */
  readonly setAside: readonly ValueState[];
}

/** The current value of a field in an entry; earlier values are in the facts. */
export interface ValueState {
  readonly id: string;
  readonly fieldId: string;
  /** The type that the field had at that time. */
  readonly fieldType: FieldType;
  readonly value: FieldValue;
  /** The label of the data source row that the value names, at the time of submission; null for other values. */
  readonly rowLabel: string | null;
  /** The DATA_SOURCE field whose row supplied the value; null if a person submitted it. */
  readonly filledFrom: string | null;
  readonly submittedByUserId: string;
  readonly submittedAt: Instant;
}

/** The statuses of a run that has neither been completed nor cancelled. */
export const activeRunStatuses: readonly RunStatus[] = ['RUNNING', 'OVERDUE'];

/** Whether a run is active: its tasks can be worked on. */
export function isActive(run: Pick<RunState, 'status'>): boolean {
  return activeRunStatuses.includes(run.status);
}

/** Whether a task is open: visible and not completed. Tasks that depend on it wait for it. */
export function isOpen(task: TaskState): boolean {
  return !task.hidden && task.status !== 'COMPLETED';
}

/** The fields of a task that are visible. */
export function visibleFields({ definition, hiddenFieldIds }: TaskState): readonly FieldDefinition[] {
  return hiddenFieldIds.length === 0
    ? definition.fields
    : definition.fields.filter(({ id }) => !hiddenFieldIds.includes(id));
}

/**
 * The values of the flow variables before rules change them: the values from launch. A variable that did not exist at
 * launch, or whose type has changed since, has its default.
 */
export function givenVariables({ document, variables }: RunState): Readonly<Record<string, VariableValue>> {
  return Object.fromEntries(
    document.variables.map(({ key, type, defaultValue }) => {
      const given = Object.hasOwn(variables, key) ? variables[key] : undefined;
      return [key, given !== undefined && isOfType(type, given) ? given : defaultValue];
    }),
  );
}

/** The value of a field in an entry, including one that is set aside, because a field keeps the id of its value. */
export function submittedFor({ values, setAside }: EntryState, fieldId: string): ValueState | undefined {
  return values.find((value) => value.fieldId === fieldId) ?? setAside.find((value) => value.fieldId === fieldId);
}

/** The value of a field that counts for the run: the value in the newest entry in which the field was submitted. */
export function newestValue({ entries }: TaskState, fieldId: string): ValueState | undefined {
  for (const entry of entries.toReversed()) {
    const submitted = entry.values.find((value) => value.fieldId === fieldId);
    if (submitted) return submitted;
  }
  return undefined;
}

/** The required fields that are visible and have no value in an entry. */
export function missingFields(task: TaskState, { values }: EntryState): readonly FieldDefinition[] {
  const valueOf = (id: string) => values.find(({ fieldId }) => fieldId === id)?.value ?? null;
  return visibleFields(task).filter(({ id, required }) => required && !isFilled(valueOf(id)));
}

/** Whether a task needs an approval of an entry and does not have it. */
export function lacksApproval(
  { definition, approval }: TaskState,
  isOf: (entryId: string) => boolean = () => true,
): boolean {
  return definition.approval !== null && !(approval?.status === 'GRANTED' && isOf(approval.entryId));
}

/** The current values of the flow variables. */
export function variablesOf(run: RunState): Readonly<Record<string, VariableValue>> {
  return { ...givenVariables(run), ...run.ruleVariables };
}

/** A flow variable that is shown to guests, with its value in a run. */
export interface ShownVariable extends Pick<VariableDefinition, 'key' | 'name' | 'type'> {
  readonly value: VariableValue;
}

/** The flow variables that the template of a run shows to guests, with their current values. */
export function shownVariables(run: RunState): ShownVariable[] {
  const values = variablesOf(run);
  return run.document.variables.flatMap(({ key, name, type, shownToGuests }) =>
    shownToGuests === true ? [{ key, name, type, value: values[key] ?? null }] : [],
  );
}

/** Whether a task comes from an earlier version of the run. It can be read, but not changed. */
export function isRetired({ retiredFromVersionId }: TaskState): boolean {
  return retiredFromVersionId !== null;
}

/** Whether the run cannot be completed before this task is. */
export function isRequiredAndOpen(task: TaskState): boolean {
  return isOpen(task) && task.definition.required;
}

/** Whether a task can be worked on: it is open and not blocked. */
export function isReady(task: TaskState): boolean {
  return isOpen(task) && task.status !== 'BLOCKED';
}

/** Whether a task is open and its deadline has passed. */
export function isPastDue(task: TaskState, now: Instant): boolean {
  return isOpen(task) && task.deadlineAt !== null && task.deadlineAt < now;
}

/**
 * The earliest reminder or deadline of an open task without a recorded `task.overdue`. Null if there is none or the run
 * has ended.
 */
export function nextDeadline(run: RunState): Instant | null {
  if (!isActive(run)) return null;
  const deadlines = run.tasks
    .filter((task) => isOpen(task) && !task.overdueSignalled)
    .map((task) => task.dueSoonAt ?? task.deadlineAt)
    .filter((deadline) => deadline !== null);
  return deadlines.reduce<Instant | null>((first, next) => (first === null || next < first ? next : first), null);
}
