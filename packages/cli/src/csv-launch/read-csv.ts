import { CsvError, parse } from 'csv-parse/sync';
import { rejected } from '../errors.ts';

/** A row of a CSV file: its trimmed cells by column, and the line on which it ends, counted from 1. */
export interface CsvRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** A CSV file with a header. */
export interface CsvFile {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
}

/**
 * Parses CSV with a header line. Lines without any text in their cells are skipped, as empty lines are.
 *
 * @throws CliError if it is not valid CSV, has no rows, or repeats a column name
 */
export function readCsv(text: string, path: string, delimiter: string): CsvFile {
  if (text.includes('\0')) throw rejected(`${path} has NUL characters. Save it as UTF-8 text and try again.`);
  const columns: string[] = [];
  const rows = parseRows(text, path, delimiter, columns);
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated !== undefined) throw rejected(`${path}: the column "${repeated}" occurs twice; rename one.`);
  if (rows.length === 0) throw rejected(`${path} has no rows below its header.`);
  return { columns, rows };
}

function parseRows(text: string, path: string, delimiter: string, columns: string[]): CsvRow[] {
  // The parser counts a Windows line break inside quotes as two.
  let excess = 0;
  const rows: CsvRow[] = [];
  try {
    parse(text, {
      bom: true,
      columns: (header: string[]) => {
        excess += windowsBreaks(header);
        columns.push(...header.map((name) => name.trim()));
        return columns;
      },
      delimiter,
      on_record: (cells: Record<string, string>, { lines }) => {
        excess += windowsBreaks(Object.values(cells));
        rows.push({ line: lines - excess, cells });
      },
      // Without them, the parser takes that of the header for the only one, and files may mix them.
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      // Spreadsheets write an empty line as delimiters.
      skip_records_with_empty_values: true,
      trim: true,
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const broken = Array.isArray(error['record']) ? error['record'].map(String) : [];
    excess += windowsBreaks(broken);
    const reason = error.message.replace(/\bline (\d+)/, (_, line: string) => `line ${Number(line) - excess}`);
    throw rejected(`${path} is not valid CSV: ${reason}.`);
  }
}

function windowsBreaks(texts: readonly string[]): number {
  return texts.reduce((count, text) => count + text.split('\r\n').length - 1, 0);
}
