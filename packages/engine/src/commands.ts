import type { FieldValue } from '@runward/contract';
import type { CommentContent } from './facts.ts';
import type { ProcessDocument, VariableValue } from './process.ts';
import type { Instant, LocalDate } from './time.ts';

/** Launches a run. `runTaskIds` has one id per task of the document, in the same order. */
export interface LaunchCommand {
  readonly runId: string;
  readonly publicId: string;
  readonly templateId: string;
  readonly templateVersionId: string;
  /** Null: made from the template's title pattern, or its name. */
  readonly title: string | null;
  readonly template: { readonly name: string; readonly runTitlePattern: string | null };
  readonly ownerUserId: string;
  readonly scheduledDateLocal: LocalDate;
  readonly variables: Readonly<Record<string, VariableValue>>;
  readonly runTaskIds: readonly string[];
}

/**
 * A value for a field. `fieldValueId` becomes the id of the value if the entry has none for this field yet.
 *
 * A value can refer to a record, which the caller looks up. If the record does not exist, `missing` says so, and the
 * value is invalid; the text continues a sentence that begins with the field's label. If the record is a row of a data
 * source, `row` holds it.
 */
export interface SubmittedValue {
  readonly fieldId: string;
  readonly fieldValueId: string;
  readonly value: FieldValue;
  readonly missing?: string | undefined;
  readonly row?: LookedUpRow | undefined;
}

/**
 * A row of a data source: its label and the values for the fields that it fills, each in the format of its field. An
 * empty cell is null. Each `fieldValueId` becomes the id of the value if the entry has none for that field yet.
 */
export interface LookedUpRow {
  readonly label: string;
  readonly fills: readonly Pick<SubmittedValue, 'fieldId' | 'fieldValueId' | 'value'>[];
}

/** A file and the field that it was uploaded for. */
export interface FilePlace {
  readonly entryId: string;
  readonly fieldId: string;
  readonly fileId: string;
}

/**
 * The entry to fill in: by its id, or the open entry of a task. If the task has no open entry, a new one gets
 * `newEntryId`.
 */
export type FormTarget = { readonly entryId: string } | { readonly runTaskId: string; readonly newEntryId: string };

/**
 * A comment as it is stored. The state of a run does not contain its comments, so the caller reads the comment after
 * the run.
 */
export interface StoredComment extends CommentContent {
  readonly id: string;
  readonly runTaskId: string | null;
  readonly authorUserId: string | null;
}

/**
 * A requested change of a run. The caller supplies the current time and the ids of new records. `userId` is the acting
 * member.
 *
 * The service itself sends `syncRules`, `detectOverdue`, `moveDeadlines` and `removeInfected`. It sends `syncRules`
 * after a publication. It sends `moveDeadlines` when the organization's time zone changes, to recompute the deadlines
 * of open date-only tasks.
 */
export type Command =
  | { readonly type: 'rename'; readonly title: string }
  | { readonly type: 'complete' }
  | { readonly type: 'cancel' }
  | { readonly type: 'reopen' }
  | { readonly type: 'archive' }
  | { readonly type: 'unarchive' }
  | {
      readonly type: 'setTaskStatus';
      readonly runTaskId: string;
      readonly status: 'PENDING' | 'COMPLETED';
      readonly userId: string;
    }
  | {
      readonly type: 'setDueDate';
      readonly runTaskId: string;
      readonly dueAt: Instant | null;
      /** Undefined keeps the current setting; it means true if the task has no deadline yet. */
      readonly dueAtHasTime?: boolean | undefined;
    }
  | {
      readonly type: 'assign';
      readonly runTaskId: string;
      /** A user, or null for no user. Undefined: unchanged, unless a group is given. */
      readonly assigneeId?: string | null | undefined;
      /** A group, or null for no group. Undefined: unchanged, unless a user is given. */
      readonly assigneeGroupId?: string | null | undefined;
    }
  | { readonly type: 'forceUnblock'; readonly runTaskId: string }
  | {
      readonly type: 'grantApproval';
      readonly runTaskId: string;
      readonly comment: string | null;
      readonly userId: string;
      /** The groups that the member belongs to now. */
      readonly groupIds: readonly string[];
    }
  | {
      readonly type: 'rejectApproval';
      readonly runTaskId: string;
      readonly comment: string;
      readonly userId: string;
      /** The groups that the member belongs to now. */
      readonly groupIds: readonly string[];
    }
  | { readonly type: 'openEntry'; readonly runTaskId: string; readonly entryId: string; readonly userId: string }
  | {
      readonly type: 'submitValues';
      readonly entryId: string;
      readonly values: readonly SubmittedValue[];
      readonly userId: string;
    }
  | ({ readonly type: 'attachFile'; readonly fieldValueId: string; readonly userId: string } & FilePlace)
  | ({ readonly type: 'removeFile'; readonly userId: string } & FilePlace)
  | ({ readonly type: 'removeInfected' } & FilePlace)
  | {
      readonly type: 'completeEntry';
      readonly entryId: string;
      readonly idempotencyKey: string | null;
      readonly userId: string;
    }
  | {
      /**
       * Opens an entry if needed, submits values and completes the entry. Equals the three commands in a row, all or
       * none of them.
       */
      readonly type: 'submitForm';
      readonly form: FormTarget;
      readonly values: readonly SubmittedValue[];
      /** Null: the entry stays open. */
      readonly completion: { readonly idempotencyKey: string | null } | null;
      readonly userId: string;
    }
  | { readonly type: 'reopenEntry'; readonly entryId: string }
  | { readonly type: 'discardEntry'; readonly entryId: string; readonly userId: string }
  | {
      readonly type: 'migrate';
      readonly toVersionId: string;
      /** The document of this version. */
      readonly document: ProcessDocument;
      /** One id per task of the document, in the same order. Only the ids of tasks that the migration adds are used. */
      readonly runTaskIds: readonly string[];
    }
  | {
      readonly type: 'syncRules';
      readonly templateVersionId: string;
      /** The document of this version. */
      readonly document: ProcessDocument;
      /** All versions of the template that were published before this one. */
      readonly earlierVersionIds: readonly string[];
      /** The document of the version whose rules the run has. */
      readonly rulesBefore: ProcessDocument;
    }
  | ({
      readonly type: 'addComment';
      readonly commentId: string;
      /** Null: on the run. */
      readonly runTaskId: string | null;
    } & CommentContent)
  | ({ readonly type: 'editComment'; readonly comment: StoredComment; readonly userId: string } & CommentContent)
  | {
      readonly type: 'deleteComment';
      readonly comment: StoredComment;
      readonly userId: string;
      /** Whether the member may delete the comments of others. */
      readonly moderates: boolean;
    }
  | { readonly type: 'detectOverdue' }
  | { readonly type: 'moveDeadlines' };

/** The command of one type. */
export type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;
