import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';

/** A column of a CSV: its header and the value of a row. Null is an empty cell. */
export interface Column<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number | boolean | null;
}

/** Several exports at a time must not keep other requests waiting, which are served between two chunks. */
const chunkCharacters = 32_768;

/**
 * Rows as CSV (RFC 4180, UTF-8, CRLF), in small chunks, beginning with the header line. Text that a spreadsheet
 * would read as a formula gets a leading apostrophe; numbers do not.
 */
export async function* csvOf<Row>(
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncGenerator<string> {
  // Sent with the first rows, so that a failed query is still an error response, and not half a file.
  let chunk = format([columns.map(({ header }) => header)]);
  for await (const rows of batches) {
    for (const row of rows) {
      chunk += format([columns.map(({ value }) => value(row))]);
      if (chunk.length < chunkCharacters) continue;
      yield chunk;
      chunk = '';
      await setImmediate();
    }
  }
  if (chunk !== '') yield chunk;
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
