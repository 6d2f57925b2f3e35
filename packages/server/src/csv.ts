import { stringify } from 'csv-stringify/sync';

/** A column of a CSV: its header and the value of a row. Null is an empty cell. */
export interface Column<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number | boolean | null;
}

/**
 * Rows as CSV (RFC 4180, UTF-8, CRLF), one chunk per batch, beginning with the header line. Text that a spreadsheet
 * would read as a formula gets a leading apostrophe; numbers do not.
 */
export async function* csvOf<Row>(
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncGenerator<string> {
  // Sent with the first rows, so that a failed query is still an error response, and not half a file.
  let head = format([columns.map(({ header }) => header)]);
  for await (const rows of batches) {
    yield head + format(rows.map((row) => columns.map(({ value }) => value(row))));
    head = '';
  }
  if (head !== '') yield head;
}

function format(lines: readonly unknown[][]): string {
  return stringify([...lines], {
    record_delimiter: 'windows',
    // Without this option, a line break other than CRLF is written without quotes, and many programs read the text
    // after it as another record.
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: { boolean: String },
  });
}
