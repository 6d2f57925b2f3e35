import type { FieldType } from '@runward/contract';
import type { DueRule, FieldOption, VariableValue } from '@runward/engine';

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
  readonly description: string | null;
  readonly defaultValue: VariableValue;
}

/** A phase of a file. Tasks refer to it by its key, which is not stored. */
export interface PhaseEntry {
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
}

/** A task of a file. Its optional key is not stored. */
export interface TaskEntry {
  readonly key: string | null;
  readonly title: string;
  readonly description: string | null;
  /** The key of a phase of the file. */
  readonly phase: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly due: DueRule | null;
  readonly fields: readonly FieldEntry[];
}

/** A form field of a file. */
export interface FieldEntry {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly helpText: string | null;
  readonly options: readonly FieldOption[];
}
