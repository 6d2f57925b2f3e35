import type { FieldType, RuleOperator, VariableType } from '@runward/contract';

/** The content of a draft or of a published version. Ids of parts stay the same across versions. */
export interface ProcessDocument {
  readonly phases: readonly PhaseDefinition[];
  readonly tasks: readonly TaskDefinition[];
  readonly variables: readonly VariableDefinition[];
}

/** A heading that groups tasks. */
export interface PhaseDefinition {
  readonly id: string;
  /** Names it in template files, across renamings. Undefined: derived from its name. */
  readonly key?: string | undefined;
  readonly name: string;
  readonly description: string | null;
}

/** A step of the process. Its position is its index in the document. */
export interface TaskDefinition {
  readonly id: string;
  /** Names it in template files, across renamings. Undefined: derived from its title. */
  readonly key?: string | undefined;
  readonly title: string;
  readonly description: string | null;
  readonly phaseId: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
  readonly due: DueRule | null;
  /** Who has to approve the form before the task can be completed; null: nobody. Repeatable tasks have no approval. */
  readonly approval: ApprovalDefinition | null;
  /** Ids of the tasks that must be completed first. */
  readonly dependencies: readonly string[];
  /** Evaluated in this order, after the rules of the tasks before this one. */
  readonly rules: readonly RuleDefinition[];
  readonly fields: readonly FieldDefinition[];
}

/** The members and groups who approve a task. If none are named, everyone who may change runs can approve. */
export interface ApprovalDefinition {
  readonly approverIds: readonly string[];
  readonly approverGroupIds: readonly string[];
  /** ANY: one approver is enough. ALL: every named member, and one member of every named group. */
  readonly policy: 'ANY' | 'ALL';
  /** Whether a member who opened the entry, or submitted one of its values, may approve it. */
  readonly allowSelfApproval: boolean;
}

/**
 * When a task is due: `offset` (ISO 8601 duration) after `from`; without a time, at the end of that day. The reminder
 * is due `remindBefore` (ISO 8601 duration) earlier; undefined: as long before as the organization wants it.
 */
export interface DueRule {
  readonly from: 'LAUNCH' | 'SCHEDULED_DATE' | 'UNBLOCKED';
  readonly offset: string;
  readonly hasTime: boolean;
  readonly remindBefore?: string | undefined;
}

/**
 * A form field of a task. Its position is its index in the task; `options` are the choices of DROPDOWN and
 * MULTI_SELECT.
 */
export interface FieldDefinition {
  readonly id: string;
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly helpText: string | null;
  readonly options: readonly FieldOption[];
  /** Where a DATA_SOURCE field looks up its rows. Null or undefined: nowhere, as for all other types. */
  readonly dataSource?: LookupDefinition | null | undefined;
  /** Whether runs can be found by its value. Undefined: no. */
  readonly searchable?: boolean | undefined;
}

/**
 * The data source to choose rows from, the column that labels them, and the fields of the same task that the chosen row
 * fills.
 */
export interface LookupDefinition {
  readonly dataSourceId: string;
  readonly labelColumnId: string;
  readonly autoFill: readonly { readonly columnId: string; readonly fieldId: string }[];
}

/** One choice of a DROPDOWN or MULTI_SELECT field. */
export interface FieldOption {
  readonly key: string;
  readonly label: string;
}

/** Conditional logic: actions that apply while all conditions (ALL) or some (ANY) are fulfilled. */
export interface RuleDefinition {
  readonly id: string;
  /** Names it in template files, across renamings. Undefined: derived from its name. */
  readonly key?: string | undefined;
  readonly name: string | null;
  readonly match: 'ALL' | 'ANY';
  readonly conditions: readonly RuleCondition[];
  readonly actions: readonly RuleAction[];
}

/** A comparison of a field or a flow variable with a value; IS_EMPTY and IS_NOT_EMPTY have none. */
export interface RuleCondition {
  readonly source: RuleSource;
  readonly operator: RuleOperator;
  readonly value?: ConditionValue | undefined;
}

/** What a condition reads: a field of any task of the template, or a flow variable. */
export type RuleSource =
  | { readonly type: 'FIELD'; readonly fieldId: string }
  | { readonly type: 'VARIABLE'; readonly key: string };

/** The effect of a matching rule. A task or field that a SHOW names is hidden unless a rule shows it. */
export type RuleAction =
  | { readonly type: 'SHOW' | 'HIDE'; readonly taskIds: readonly string[]; readonly fieldIds: readonly string[] }
  | {
      readonly type: 'ASSIGN';
      readonly taskId: string;
      readonly assigneeId: string | null;
      readonly assigneeGroupId: string | null;
    }
  | { readonly type: 'SET_VARIABLE'; readonly key: string; readonly value: VariableValue };

/** A value of a condition; a list for IN and NOT_IN. */
export type ConditionValue = string | number | boolean | readonly (string | number)[];

/** A flow variable. Every run has a value for it: `defaultValue`, unless the launch or a rule sets another. */
export interface VariableDefinition {
  readonly id: string;
  readonly key: string;
  readonly name: string | null;
  readonly type: VariableType;
  readonly description: string | null;
  readonly defaultValue: VariableValue;
  /** Whether runs can be found by its value. Undefined: no. */
  readonly searchable?: boolean | undefined;
  /** Whether a launch needs a value, given or by default. Undefined: no. */
  readonly required?: boolean | undefined;
  /** Whether the forms of a run's tasks show its value, also to guests. Undefined: no. */
  readonly shownToGuests?: boolean | undefined;
}

/** The value of a flow variable. */
export type VariableValue = string | number | boolean | null;

/** Returns the published document of a version. It must know every version that it is asked for. */
export type Documents = (templateVersionId: string) => ProcessDocument;

/** An empty document. */
export const emptyProcess: ProcessDocument = { phases: [], tasks: [], variables: [] };
