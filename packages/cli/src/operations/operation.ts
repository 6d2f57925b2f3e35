import type { Operation } from '@runward/contract';
import type { fields } from '../generated/fields.ts';
import type { IdKind } from '../lookup/ids.ts';

/** Kinds of records. Those that are not an {@link IdKind} can be given by name or ID. */
export type Kind =
  | IdKind
  | 'column'
  | 'dataSource'
  | 'folder'
  | 'group'
  | 'member'
  | 'page'
  | 'phase'
  | 'portal'
  | 'run'
  | 'template'
  | 'templateTask'
  | 'variable'
  | 'version'
  | 'view'
  | 'webhook';

/** A path parameter, which is an argument of the command. */
export interface OperationParameter {
  readonly label: string;
  /** Default: the description of its kind. */
  readonly description?: string;
  readonly kind?: Kind;
}

/** A query parameter or body property as an option of the command: `phaseId` becomes `--phase-id`. */
export interface OperationOption {
  readonly name: string;
  /** The flag without dashes if it is not made of the name. The one that is made of it still works. */
  readonly flag?: string;
  /** Another option does the same, and help shows only that. */
  readonly isHidden?: true;
  /** `json`: anything that has parts, as JSON. `file`: the path of a file. */
  readonly type: 'string' | 'number' | 'boolean' | 'json' | 'file';
  readonly description: string;
  readonly choices?: readonly string[];
  /** What requests carry for choices that have another name there. They are accepted, too. */
  readonly wire?: Readonly<Record<string, string>>;
  readonly required?: true;
  /** Takes several values. */
  readonly repeatable?: true;
  readonly kind?: Kind;
  /** It is an argument with this label instead. */
  readonly argument?: string;
}

/** A command that carries out one operation of the API. */
export interface OperationCommand {
  /** Its words, like `templates versions diff`. */
  readonly words: string;
  /** The method of the client, like `templates.versions.diff`. */
  readonly operation: Operation;
  readonly summary: string;
  readonly description?: string;
  /** That it should no longer be used, and what takes its place. */
  readonly deprecated?: string;
  /** The scope that the API key needs. Absent if every key has access. */
  readonly scope?: string;
  /** Present if it changes data. */
  readonly changes?: true;
  readonly deletes?: true;
  readonly parameters: readonly OperationParameter[];
  /** Absent: the operation has no query. */
  readonly query?: readonly OperationOption[];
  /** Absent: the operation has no body. */
  readonly body?: readonly OperationOption[];
  /** Command lines that help shows. */
  readonly examples?: readonly string[];
  readonly returns: 'list' | 'record' | 'content' | 'nothing';
  /** The model of the record, or of each record of the list. */
  readonly model?: keyof typeof fields;
  /** The columns of a table. */
  readonly columns?: readonly string[];
}
