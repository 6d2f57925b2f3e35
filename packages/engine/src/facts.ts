import type { FieldValue } from '@runward/contract';
import type { VariableValue } from './process.ts';
import type { SkippedRule } from './rules/with-rules.ts';
import type { Instant, LocalDate } from './time.ts';

/**
 * A change of a run that has happened. Facts are complete: applying all facts of a run in order rebuilds its state exactly. They are
 * plain JSON and are stored as they are.
 */
export type Fact = { readonly at: Instant } & FactBody;

/** The type of a fact, as shown in the activity log. */
export type FactType = FactBody['type'];

/** The fact of one type, with its fields. */
export type FactOf<Type extends FactType> = Extract<Fact, { type: Type }>;

/** A task as created by the launch, or added by a migration. */
export interface StartedTask {
  readonly runTaskId: string;
  readonly taskId: string;
  readonly dueAt: Instant | null;
  readonly dueAtHasTime: boolean;
  readonly deadlineAt: Instant | null;
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
  readonly blocked: boolean;
  readonly hidden: boolean;
  readonly hiddenFieldIds: readonly string[];
}

type FactBody =
  | {
      readonly type: 'run.started';
      readonly runId: string;
      readonly publicId: string;
      readonly templateId: string;
      readonly templateVersionId: string;
      readonly title: string;
      readonly ownerUserId: string;
      readonly scheduledDateLocal: LocalDate;
      readonly variables: Readonly<Record<string, VariableValue>>;
      readonly ruleVariables: Readonly<Record<string, VariableValue>>;
      readonly tasks: readonly StartedTask[];
    }
  | {
      /** The run follows another version. The lists of run tasks are in the order of the version that contains them. */
      readonly type: 'run.migrated';
      readonly fromVersionId: string;
      readonly templateVersionId: string;
      /** Tasks that both versions contain. */
      readonly kept: readonly string[];
      /** Tasks that the run did not have yet. */
      readonly added: readonly StartedTask[];
      /** Tasks that an earlier migration had retired or removed. */
      readonly restored: readonly string[];
      /** Completed tasks that the version does not contain; they stay. */
      readonly retired: readonly string[];
      /** Other tasks that the version does not contain. */
      readonly removed: readonly string[];
    }
  | {
      /** The run has the rules of a later version, except those that it cannot have. */
      readonly type: 'run.rules_synchronized';
      readonly templateVersionId: string;
      readonly skipped: readonly SkippedRule[];
    }
  | { readonly type: 'run.renamed'; readonly title: string }
  | { readonly type: 'run.completed'; readonly automatically: boolean }
  | { readonly type: 'run.cancelled' }
  | { readonly type: 'run.reopened' }
  | { readonly type: 'run.archived' }
  | { readonly type: 'run.unarchived' }
  | { readonly type: 'run.overdue' }
  | { readonly type: 'run.on_time' }
  | {
      readonly type: 'task.completed';
      readonly runTaskId: string;
      readonly userId: string;
      /** True if the status was set directly, without completing the form. */
      readonly directly: boolean;
    }
  | {
      readonly type: 'task.reopened';
      readonly runTaskId: string;
      /** True if the status was set directly, false if an entry was opened or reopened. */
      readonly directly: boolean;
    }
  | {
      readonly type: 'task.due_date_changed';
      readonly runTaskId: string;
      readonly dueAt: Instant | null;
      readonly dueAtHasTime: boolean;
      readonly deadlineAt: Instant | null;
    }
  | {
      /** The end of the day of `dueAt` is another moment, because the organization's time zone has changed. */
      readonly type: 'task.deadline_moved';
      readonly runTaskId: string;
      readonly deadlineAt: Instant | null;
    }
  | {
      readonly type: 'task.assigned';
      readonly runTaskId: string;
      readonly assigneeId: string | null;
      readonly assigneeGroupId: string | null;
      /** True if a rule assigned the task, or no longer does; false if a person did. */
      readonly byRule: boolean;
    }
  | { readonly type: 'task.hidden' | 'task.shown'; readonly runTaskId: string }
  | { readonly type: 'field.hidden' | 'field.shown'; readonly runTaskId: string; readonly fieldId: string }
  | { readonly type: 'task.blocked'; readonly runTaskId: string }
  | {
      readonly type: 'task.unblocked';
      readonly runTaskId: string;
      /** True if a person unblocked it although it depends on open tasks. */
      readonly forced: boolean;
    }
  /** The open entry has every required value and waits for its approvers. */
  | { readonly type: 'approval.requested'; readonly runTaskId: string; readonly entryId: string }
  | {
      readonly type: 'approval.granted';
      readonly runTaskId: string;
      readonly entryId: string;
      readonly userId: string;
      /** The approver groups that the member belongs to. */
      readonly groupIds: readonly string[];
      readonly comment: string | null;
      /** False if other approvers still have to agree. */
      readonly isComplete: boolean;
    }
  | {
      readonly type: 'approval.rejected';
      readonly runTaskId: string;
      readonly entryId: string;
      readonly userId: string;
      readonly comment: string;
    }
  /** What was requested or decided no longer counts, because the entry has changed or is not the open one any more. */
  | { readonly type: 'approval.invalidated'; readonly runTaskId: string; readonly entryId: string }
  | { readonly type: 'variable.set'; readonly key: string; readonly value: VariableValue }
  /** No rule sets the variable any more; it has its value at launch again. */
  | { readonly type: 'variable.reset'; readonly key: string }
  | { readonly type: 'task.overdue'; readonly runTaskId: string; readonly deadlineAt: Instant }
  | {
      readonly type: 'entry.opened';
      readonly runTaskId: string;
      readonly entryId: string;
      readonly userId: string;
    }
  | {
      readonly type: 'value.submitted';
      readonly runTaskId: string;
      readonly entryId: string;
      readonly fieldValueId: string;
      readonly fieldId: string;
      readonly value: FieldValue;
      readonly userId: string;
      /** What the row of a data source that the value names was called. */
      readonly rowLabel?: string;
      /** The DATA_SOURCE field whose row the value was taken from, or that was cleared and the value with it. */
      readonly filledFrom?: string;
    }
  | {
      /** The service removed a file from a value; `value` is what is left. */
      readonly type: 'file.removed';
      readonly runTaskId: string;
      readonly entryId: string;
      readonly fieldValueId: string;
      readonly fieldId: string;
      readonly fileId: string;
      readonly value: FieldValue;
      readonly reason: 'INFECTED';
    }
  | {
      readonly type: 'entry.completed';
      readonly runTaskId: string;
      readonly entryId: string;
      readonly idempotencyKey: string | null;
    }
  | { readonly type: 'entry.reopened'; readonly runTaskId: string; readonly entryId: string }
  | { readonly type: 'entry.discarded'; readonly runTaskId: string; readonly entryId: string };

/** Facts that follow from the time, the calendar or a publication; work on the run is not needed for any of them. */
const withoutWork: ReadonlySet<FactType> = new Set([
  'run.rules_synchronized',
  'task.deadline_moved',
  'task.overdue',
  'run.overdue',
  'run.on_time',
]);

/** The time of the last fact that records work on a run, or null if none does. A run without such facts for some time is stalled. */
export function lastWorkAt(facts: readonly Fact[]): Instant | null {
  return facts.findLast(({ type }) => !withoutWork.has(type))?.at ?? null;
}
