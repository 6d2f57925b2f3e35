import { stringify } from 'csv-stringify/sync';

/** Begins text that a spreadsheet would execute as a formula, and such text with apostrophes in front of it. */
const formula = /^(?='*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/;

/**
 * Cells as a line of CSV. Text that a spreadsheet would execute as a formula gets a leading apostrophe; numbers do not.
 * So does a formula that already has apostrophes in front of it, because an import removes one.
 * Cells with line breaks of any kind are quoted, and those with space around them, which many readers remove otherwise.
 */
export function csvLine(cells: readonly unknown[]): string {
  return stringify([cells.map((cell) => (typeof cell === 'string' ? cell.replace(formula, "'") : cell))], {
    quote_record_delimiter: true,
    quoted_match: /^\s|\s$/,
    cast: { boolean: String },
  });
}

/** A cell of CSV without the apostrophe that `csvLine` and the exports of the server put in front of a formula. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
