import type { FieldValue } from '@runward/contract';
import type { ProcessDocument, VariableValue } from './process.ts';
import type { Instant, LocalDate } from './time.ts';

/** Launches a run. `runTaskIds` are the ids of its tasks, one per task of the document, in the same order. */
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
 * A value for a field. `fieldValueId` becomes the id of the value if the entry has none for this field yet. `missing` is what the caller
 * found out about a record that the value refers to and that does not exist, as the rest of a sentence that begins with the label of the
 * field; such a value is invalid. `row` is the row of a data source that the value names, as the caller read it.
 */
export interface SubmittedValue {
  readonly fieldId: string;
  readonly fieldValueId: string;
  readonly value: FieldValue;
  readonly missing?: string | undefined;
  readonly row?: LookedUpRow | undefined;
}

/**
 * A row of a data source: its label, and the values of the fields that are filled from it, in the shape of their types; null for an empty cell.
 * Each `fieldValueId` becomes the id of the value if the entry has none for that field yet.
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

/** An entry, or a task whose open entry is used; `newEntryId` becomes the id of the entry if one has to be opened. */
export type FormTarget = { readonly entryId: string } | { readonly runTaskId: string; readonly newEntryId: string };

/**
 * A change requested of a run. The caller supplies the ids of new records and the current time; `userId` is the member who acts.
 *
 * `syncRules`, `detectOverdue`, `moveDeadlines` and `removeInfected` are sent by the service itself. `syncRules` follows a publication.
 * `moveDeadlines` follows a change of the organization's time zone: it recomputes the deadlines of open date-only tasks in the calendar it
 * is decided with.
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
      /** Undefined: as it is; true if the task has no deadline yet. */
      readonly dueAtHasTime?: boolean | undefined;
    }
  | {
      readonly type: 'assign';
      readonly runTaskId: string;
      /** A user; null: no user; undefined: unchanged, unless a group is given. */
      readonly assigneeId?: string | null | undefined;
      /** A group; null: no group; undefined: unchanged, unless a user is given. */
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
      /** Opens an entry if needed, submits values and completes it: what these commands do one after the other, all or nothing. */
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
      /** One id per task of the document, in the same order. Those of tasks that the migration adds are used. */
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
  | { readonly type: 'detectOverdue' }
  | { readonly type: 'moveDeadlines' };

/** The command of one type. */
export type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;
