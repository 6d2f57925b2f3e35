/** What was observed of the data source that the row writers write to: what its checker looks at. */
export interface RowHistory {
  /** Those of one batch in the order in which they began. */
  readonly operations: readonly RowOperation[];
  /** The counts that the data source states. */
  readonly counts: { readonly rowCount: number; readonly activeRowCount: number };
  readonly rows: readonly WrittenRow[];
}

/** A bulk request for all rows of a batch, sent under one Idempotency-Key until it got a response. */
export interface RowOperation {
  /** What tells the batch from others; a cell of each of its rows. */
  readonly batch: string;
  readonly kind: 'create' | 'update' | 'delete';
  /** How many rows the batch has. */
  readonly size: number;
  /** The version that the rows get: 0 when they are created. Rows of an even version are active. */
  readonly version: number;
  /** The status of the response; null if the writer gave up. */
  readonly status: number | null;
  /** The message of an error. */
  readonly message?: string | undefined;
}

/** A row of `data_source_rows`. */
export interface WrittenRow {
  readonly id: string;
  readonly batch: string;
  readonly version: number;
  readonly active: boolean;
  /** Its timeline, oldest change first: what became of the version and of `active`; null for what did not change. */
  readonly changes: readonly {
    readonly type: string;
    readonly before: number | null;
    readonly after: number | null;
    readonly active: boolean | null;
  }[];
}
