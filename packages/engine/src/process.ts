import type { FieldType } from '@runward/contract';

/** The content of a template's draft or of a published version. Ids inside it are stable across versions. */
export interface ProcessDocument {
  readonly phases: readonly PhaseDefinition[];
  readonly tasks: readonly TaskDefinition[];
  readonly variables: readonly VariableDefinition[];
}

/** A heading that groups tasks. */
export interface PhaseDefinition {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

/** A step of the process. Its position is its index in the document. */
export interface TaskDefinition {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly phaseId: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
  readonly due: DueRule | null;
  readonly fields: readonly FieldDefinition[];
}

/** When a task is due: `offset` (ISO 8601 duration) after `from`; without a time, at the end of that day. */
export interface DueRule {
  readonly from: 'LAUNCH' | 'SCHEDULED_DATE' | 'UNBLOCKED';
  readonly offset: string;
  readonly hasTime: boolean;
}

/** A form field of a task. Its position is its index in the task; `options` are the choices of DROPDOWN and MULTI_SELECT. */
export interface FieldDefinition {
  readonly id: string;
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly helpText: string | null;
  readonly options: readonly FieldOption[];
}

/** One choice of a DROPDOWN or MULTI_SELECT field. */
export interface FieldOption {
  readonly key: string;
  readonly label: string;
}

/** A flow variable: a value that every run of the template has, `defaultValue` unless its launch sets another. */
export interface VariableDefinition {
  readonly id: string;
  readonly key: string;
  readonly description: string | null;
  readonly defaultValue: VariableValue;
}

/** The value of a flow variable. */
export type VariableValue = string | number | boolean | null;

/** An empty document. */
export const emptyProcess: ProcessDocument = { phases: [], tasks: [], variables: [] };
