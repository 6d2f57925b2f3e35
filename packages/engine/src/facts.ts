import type { FieldValue } from '@runward/contract';
import type { Deadline } from './due.ts';
import type { VariableValue } from './process.ts';
import type { SkippedRule } from './rules/with-rules.ts';
import type { Instant, LocalDate } from './time.ts';

/**
 * A change that has happened in a run. Facts are complete: applying all of them in order rebuilds the exact state. They
 * are plain JSON, and are stored unchanged.
 */
export type Fact = { readonly at: Instant } & FactBody;

/** The type of a fact, as shown in the activity log. */
export type FactType = FactBody['type'];

/** The fact of one type, with its fields. */
export type FactOf<Type extends FactType> = Extract<Fact, { type: Type }>;

/** A task as created by the launch, or added by a migration. */
export interface StartedTask extends Deadline {
  readonly runTaskId: string;
  readonly taskId: string;
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
  readonly blocked: boolean;
  readonly hidden: boolean;
  readonly hiddenFieldIds: readonly string[];
}

/** A comment, and the task of the run that it is on; null for a comment on the run. */
interface CommentPlace {
  readonly commentId: string;
  readonly runTaskId: string | null;
}

/** What a comment says, and the members and groups that it mentions. */
export interface CommentContent {
  readonly text: string;
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
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
      /** The run moved to another version. The run task ids have the order of that version. */
      readonly type: 'run.migrated';
      readonly fromVersionId: string;
      readonly templateVersionId: string;
      /** Tasks that both versions contain. */
      readonly kept: readonly string[];
      /** Tasks that the run did not have yet. */
      readonly added: readonly StartedTask[];
      /** Tasks that an earlier migration had retired or removed. */
      readonly restored: readonly string[];
      /** Completed tasks that the new version does not contain. They stay in the run. */
      readonly retired: readonly string[];
      /** Other tasks that the version does not contain. */
      readonly removed: readonly string[];
    }
  | {
      /** The run took over the rules of a later version, except the skipped ones. */
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
  | ({ readonly type: 'task.due_date_changed'; readonly runTaskId: string } & Deadline)
  /**
   * The organization changed its time zone, so that the day of `dueAt` ends at another moment, or when it wants
   * reminders.
   */
  | ({ readonly type: 'task.deadline_moved'; readonly runTaskId: string } & Pick<Deadline, 'deadlineAt' | 'dueSoonAt'>)
  | {
      readonly type: 'task.assigned';
      readonly runTaskId: string;
      readonly assigneeId: string | null;
      readonly assigneeGroupId: string | null;
      /** True if a rule assigned the task or withdrew its assignment; false if a person did. */
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
  /** The request or decision is no longer valid, because the entry has changed or is no longer the open one. */
  | { readonly type: 'approval.invalidated'; readonly runTaskId: string; readonly entryId: string }
  | { readonly type: 'variable.set'; readonly key: string; readonly value: VariableValue }
  /** No rule sets the variable any more, so it has its value from launch again. */
  | { readonly type: 'variable.reset'; readonly key: string }
  | { readonly type: 'task.due_soon' | 'task.overdue'; readonly runTaskId: string; readonly deadlineAt: Instant }
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
      /** The DATA_SOURCE field whose row supplied the value, or whose clearing cleared it. */
      readonly filledFrom?: string;
    }
  | {
      /** The service removed a file from a value; `value` holds the remaining files. */
      readonly type: 'file.removed';
      readonly runTaskId: string;
      readonly entryId: string;
      readonly fieldValueId: string;
      readonly fieldId: string;
      readonly fileId: string;
      readonly value: FieldValue;
      readonly reason: 'INFECTED';
    }
  | ({ readonly type: 'comment.created' } & CommentPlace & CommentContent)
  | ({ readonly type: 'comment.edited' } & CommentPlace & CommentContent)
  | ({ readonly type: 'comment.deleted' } & CommentPlace)
  | {
      readonly type: 'entry.completed';
      readonly runTaskId: string;
      readonly entryId: string;
      readonly idempotencyKey: string | null;
    }
  | { readonly type: 'entry.reopened'; readonly runTaskId: string; readonly entryId: string }
  | { readonly type: 'entry.discarded'; readonly runTaskId: string; readonly entryId: string };

/** Facts caused by time, the calendar or a publication. They do not count as work on the run. */
const withoutWork: ReadonlySet<FactType> = new Set([
  'run.rules_synchronized',
  'task.deadline_moved',
  'task.due_soon',
  'task.overdue',
  'run.overdue',
  'run.on_time',
]);

/**
 * The time of the last fact that counts as work on a run, or null. A run without such facts for some time is stalled.
 */
export function lastWorkAt(facts: readonly Fact[]): Instant | null {
  return facts.findLast(({ type }) => !withoutWork.has(type))?.at ?? null;
}
