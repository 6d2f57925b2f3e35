/** What an ID may be given as, besides the ID. */
export type Kind =
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
  readonly description: string;
  readonly kind?: Kind;
}

/** A query parameter or a property of the body, which is an option of the command: `templateId` is `--template-id`. */
export interface OperationOption {
  readonly name: string;
  /** `json`: anything that has parts, as JSON. `file`: the path of a file. */
  readonly type: 'string' | 'number' | 'boolean' | 'json' | 'file';
  readonly description: string;
  readonly choices?: readonly string[];
  readonly required?: true;
  /** Takes several values. */
  readonly repeatable?: true;
  readonly kind?: Kind;
}

/** A command that carries out one operation of the API. */
export interface OperationCommand {
  /** Its words, like `templates versions diff`. */
  readonly words: string;
  /** The method of the client, like `templates.versions.diff`. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** The scope that the API key needs; absent if every key has access. */
  readonly scope?: string;
  readonly effect: 'read' | 'write';
  readonly deletes?: true;
  readonly parameters: readonly OperationParameter[];
  /** Absent: the operation has no query. */
  readonly query?: readonly OperationOption[];
  /** Absent: the operation has no body. */
  readonly body?: readonly OperationOption[];
  readonly returns: 'list' | 'record' | 'content' | 'nothing';
  /** The columns of a table. */
  readonly columns?: readonly string[];
}
