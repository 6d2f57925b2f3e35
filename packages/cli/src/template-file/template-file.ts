import type { FieldType, RuleOperator, VariableType } from '@runward/contract';
import type { ApprovalDefinition, DueRule, FieldOption, RuleCondition, VariableValue } from '@runward/engine';

/** A template file with all defaults filled in. The README documents the format. */
export interface TemplateFile {
  readonly name: string;
  readonly description: string | null;
  readonly runTitlePattern: string | null;
  readonly variables: readonly VariableEntry[];
  readonly phases: readonly PhaseEntry[];
  readonly tasks: readonly TaskEntry[];
}

/** A flow variable of a file. */
export interface VariableEntry {
  readonly key: string;
  readonly name: string | null;
  readonly type: VariableType;
  readonly description: string | null;
  readonly defaultValue: VariableValue;
  readonly searchable: boolean;
  readonly required: boolean;
  readonly shownToGuests: boolean;
}

/** A phase of a file. Tasks refer to it by its key. */
export interface PhaseEntry {
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
}

/** A task of a file. Dependencies and rules refer to it by its key or title. */
export interface TaskEntry {
  readonly key: string | null;
  readonly title: string;
  readonly description: string | null;
  /** The key of a phase of the file. */
  readonly phase: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** The email address of a member. */
  readonly assignee: string | null;
  /** The name of a group. */
  readonly assigneeGroup: string | null;
  readonly due: DueRule | null;
  readonly approval: ApprovalEntry | null;
  /** Keys or titles of the tasks that must be completed first. */
  readonly dependsOn: readonly string[];
  readonly rules: readonly RuleEntry[];
  readonly fields: readonly FieldEntry[];
}

/** Who approves a task of a file. */
export interface ApprovalEntry {
  /** Email addresses of members. */
  readonly approvers: readonly string[];
  /** Names of groups. */
  readonly approverGroups: readonly string[];
  readonly policy: ApprovalDefinition['policy'];
  readonly allowSelfApproval: boolean;
}

/** A form field of a file. */
export interface FieldEntry {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly helpText: string | null;
  readonly options: readonly FieldOption[];
  readonly dataSource: LookupEntry | null;
  readonly searchable: boolean;
}

/** The lookup of a DATA_SOURCE field in a file: like in the API, but with the names of data source and columns. */
export interface LookupEntry {
  readonly dataSource: string;
  readonly labelColumn: string;
  readonly autoFill: readonly { readonly column: string; readonly field: string }[];
}

/** A rule of a file: like in the API, but with keys and titles instead of ids. */
export interface RuleEntry {
  readonly key: string | null;
  readonly name: string | null;
  readonly match: 'ALL' | 'ANY';
  readonly conditions: readonly ConditionEntry[];
  readonly actions: readonly ActionEntry[];
}

/** A condition of a rule. It names a field or a flow variable by key. Values of USER fields are email addresses. */
export interface ConditionEntry {
  readonly field?: string | undefined;
  readonly variable?: string | undefined;
  readonly operator: RuleOperator;
  readonly value?: RuleCondition['value'];
}

/**
 * An action of a rule. `tasks` and `task` are keys or titles; `fields` and `variable` are keys. Assignees are given as
 * for tasks.
 */
export type ActionEntry =
  | { readonly type: 'SHOW' | 'HIDE'; readonly tasks: readonly string[]; readonly fields: readonly string[] }
  | {
      readonly type: 'ASSIGN';
      readonly task: string;
      readonly assignee: string | null;
      readonly assigneeGroup: string | null;
    }
  | { readonly type: 'SET_VARIABLE'; readonly variable: string; readonly value: VariableValue };
