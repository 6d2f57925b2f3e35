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
 * Parses CSV with a header line.
 *
 * @throws CliError if it is not valid CSV, has no rows, or repeats a column name
 */
export function readCsv(text: string, path: string, delimiter: string): CsvFile {
  const columns: string[] = [];
  const rows = parseRows(text, path, delimiter, columns);
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated !== undefined) throw rejected(`${path}: the column "${repeated}" occurs twice; rename one.`);
  if (rows.length === 0) throw rejected(`${path} has no rows below its header.`);
  return { columns, rows };
}

function parseRows(text: string, path: string, delimiter: string, columns: string[]): CsvRow[] {
  try {
    const records: { info: { lines: number }; record: Record<string, string> }[] = parse(text, {
      bom: true,
      columns: (header: string[]) => {
        columns.push(...header.map((name) => name.trim()));
        return columns;
      },
      delimiter,
      info: true,
      skip_empty_lines: true,
      trim: true,
    });
    // The parser counts a Windows line break inside quotes as two.
    let excess = windowsBreaks(columns);
    return records.map(({ info, record }) => {
      excess += windowsBreaks(Object.values(record));
      return { line: info.lines - excess, cells: record };
    });
  } catch (error) {
    if (error instanceof CsvError) throw rejected(`${path} is not valid CSV: ${error.message}.`);
    throw error;
  }
}

function windowsBreaks(texts: readonly string[]): number {
  return texts.reduce((count, text) => count + text.split('\r\n').length - 1, 0);
}
