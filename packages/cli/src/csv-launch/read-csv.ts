import { CsvError, parse } from 'csv-parse/sync';
import { refused } from '../errors.ts';

/** A row of a CSV file: its cells by column, trimmed, and the line it ends on, counted from 1. */
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
 * Reads CSV with a header line.
 *
 * @throws CliError when it is no CSV, has no rows, or names a column twice
 */
export function readCsv(text: string, path: string, delimiter: string): CsvFile {
  const columns: string[] = [];
  const rows = parseRows(text, path, delimiter, columns);
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw refused(`${path}: the column "${twice}" occurs twice; rename one.`);
  if (rows.length === 0) throw refused(`${path} has no rows below its header.`);
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
    return records.map(({ info, record }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    if (error instanceof CsvError) throw refused(`${path} is no sound CSV: ${error.message}.`);
    throw error;
  }
}
