/** Observations of the data source that the row writers write to, as input of its checker. */
export interface RowHistory {
  /** Those of one batch in the order in which they began. */
  readonly operations: readonly RowOperation[];
  /** The counts that the data source states. */
  readonly counts: { readonly rowCount: number; readonly activeRowCount: number };
  readonly rows: readonly WrittenRow[];
}

/** A bulk request for all rows of a batch. It was repeated with one Idempotency-Key until it got a response. */
export interface RowOperation {
  /** Identifies the batch. Each of its rows has it in a cell. */
  readonly batch: string;
  readonly kind: 'create' | 'update' | 'delete';
  /** How many rows the batch has. */
  readonly size: number;
  /** The version that the rows get, 0 at creation. Rows with an even version are active. */
  readonly version: number;
  /** The response status; null if the writer gave up. */
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
  /** The timeline, oldest change first: the new version and the new `active`, each null if unchanged. */
  readonly changes: readonly {
    readonly type: string;
    readonly before: number | null;
    readonly after: number | null;
    readonly active: boolean | null;
  }[];
}
