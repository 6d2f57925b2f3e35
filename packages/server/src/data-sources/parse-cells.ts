import { formats, normalizeTimestamp, type CellValue, type ColumnType } from '@runward/contract';
import type { DataSourceColumn } from './entities/data-source-column.ts';

/** The cells of a row, as stored. Null empties a cell. */
export type Cells = Readonly<Record<string, CellValue>>;

/** A value as it is stored, or its problem and what to do. */
type Parsed = { readonly value: CellValue } | { readonly problem: string };

const maximumText = 10_000;
const maximumDigits = 15;

type Parse = (value: Exclude<CellValue, null>, column: Pick<DataSourceColumn, 'settings'>) => Parsed;

const text: Parse = (value) => {
  if (typeof value !== 'string') return { problem: 'must be a string' };
  if (value.length > maximumText) return { problem: `must be at most ${maximumText} characters` };
  if (/[^\P{Cc}\t\n\r]/u.test(value)) {
    return { problem: 'must not contain control characters except tabs and line breaks' };
  }
  return { value };
};

const number: Parse = (value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { problem: 'must be a number, like 12.5' };
  return digitsOf(value) > maximumDigits
    ? { problem: `must have at most ${maximumDigits} significant digits; round it, or use a TEXT column` }
    : { value: value === 0 ? 0 : value };
};

const boolean: Parse = (value) => (typeof value === 'boolean' ? { value } : { problem: 'must be true or false' });

const date: Parse = (value) =>
  typeof value === 'string' && formats.isDate(value)
    ? { value }
    : { problem: 'must be a date between the years 1900 and 2999, like 2026-03-01' };

const dateTime: Parse = (value) =>
  typeof value === 'string' && formats.isTimestamp(value)
    ? { value: normalizeTimestamp(value) }
    : {
        problem:
          'must be an ISO 8601 timestamp with a time zone, between the years 1900 and 2999, like 2026-03-01T09:00:00Z',
      };

const status: Parse = (value, { settings: { options = [] } }) =>
  options.some(({ key }) => key === value)
    ? { value }
    : { problem: `must be one of the option keys ${options.map(({ key }) => key).join(', ')}` };

const relation: Parse = () => ({
  problem:
    'a RELATION column has links instead of cells; leave it out, and link rows with POST /data-sources/:id/relations',
});

const parsers: Readonly<Record<ColumnType, Parse>> = {
  TEXT: text,
  NUMBER: number,
  BOOLEAN: boolean,
  DATE: date,
  DATETIME: dateTime,
  STATUS: status,
  RELATION: relation,
};

/** A value for a cell of a column. An empty text empties the cell, whatever its type. */
export function parseCell(column: Pick<DataSourceColumn, 'type' | 'settings'>, value: CellValue): Parsed {
  if (column.type !== 'RELATION' && (value === null || value === '')) return { value: null };
  return value === null ? relation('', column) : parsers[column.type](value, column);
}

/** The most problems that a response names. A request can have 200,000, and each message can list 200 options. */
export const maximumProblems = 200;

/**
 * Parses cells. The case of column ids does not matter. `path` leads to the cells, like `rows[17].cells`. Ends with the
 * first problem that is too many.
 */
export function parseCells(
  columns: ReadonlyMap<string, DataSourceColumn>,
  cells: Cells,
  path: string,
): { readonly cells: Cells; readonly problems: readonly string[] } {
  const parsed: Record<string, CellValue> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(cells)) {
    if (problems.length > maximumProblems) break;
    const id = name.toLowerCase();
    const column = columns.get(id);
    const result = column
      ? parseCell(column, value)
      : { problem: 'no column of this data source; see GET /data-sources/:id' };
    if ('problem' in result) problems.push(`${path}.${name}: ${result.problem}`);
    else if (id in parsed) problems.push(`${path}.${name}: the column is named twice; remove one`);
    else parsed[id] = result.value;
  }
  return { cells: parsed, problems };
}

/** The significant digits of a number. */
function digitsOf(value: number): number {
  return (Math.abs(value).toExponential().split('e')[0] ?? '').replace('.', '').length;
}
