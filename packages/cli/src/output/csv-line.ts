import { stringify } from 'csv-stringify/sync';

/**
 * Cells as a line of CSV. Text that a spreadsheet would execute as a formula gets a leading apostrophe; numbers do not.
 * Cells with line breaks of any kind are quoted, and those with space around them, which many readers remove otherwise.
 */
export function csvLine(cells: readonly unknown[]): string {
  return stringify([[...cells]], {
    quote_record_delimiter: true,
    quoted_match: /^\s|\s$/,
    escape_formulas: true,
    cast: { boolean: String },
  });
}

/** A cell of CSV without the apostrophe that `csvLine` and the exports of the server put in front of a formula. */
export function withoutApostrophe(text: string): string {
  return text.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '');
}
