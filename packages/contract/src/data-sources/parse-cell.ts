import { formats } from '../formats.ts';
import { normalizeTimestamp } from '../timestamps.ts';
import type { CellValue, ColumnType } from './column-types.ts';

/** A value as it is stored, or its problem and what to do. */
type Parsed = { readonly value: CellValue } | { readonly problem: string };

const maximumText = 10_000;
const maximumDigits = 15;

/** The properties of a column that its cells depend on. A STATUS column has options. */
interface CellColumn {
  readonly type: ColumnType;
  readonly settings: { readonly options?: readonly { readonly key: string }[] };
}

type Parse = (value: Exclude<CellValue, null>, column: Pick<CellColumn, 'settings'>) => Parsed;

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
export function parseCell(column: CellColumn, value: CellValue): Parsed {
  if (column.type !== 'RELATION' && (value === null || value === '')) return { value: null };
  return value === null ? relation('', column) : parsers[column.type](value, column);
}

/** The significant digits of a number. */
function digitsOf(value: number): number {
  return (Math.abs(value).toExponential().split('e')[0] ?? '').replace('.', '').length;
}
