import { stringify } from 'csv-stringify/sync';

/**
 * Cells as a line of CSV. Text that a spreadsheet would execute as a formula gets a leading apostrophe; numbers do not.
 * Cells with line breaks of any kind are quoted.
 */
export function csvLine(cells: readonly unknown[]): string {
  return stringify([[...cells]], { quote_record_delimiter: true, escape_formulas: true, cast: { boolean: String } });
}
