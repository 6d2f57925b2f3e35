import type { Printed } from './printed.ts';

type Cell = string | Printed;

/** A column of a table in a document: its header and the value of a row. */
export interface Column<Row> {
  readonly header: string;
  /** In millimetres; without one, the rest. */
  readonly width?: number;
  /** Whether it has numbers, which are aligned to the right. */
  readonly number?: boolean;
  readonly value: (row: Row) => Cell;
}

/** A column of numbers. */
export function numbers<Row>(header: string, of: (row: Row) => number): Column<Row> {
  return { header, width: 18, number: true, value: (row) => String(of(row)) };
}

/** A column of fractions, as percentages. */
export function rates<Row>(header: string, of: (row: Row) => number | null): Column<Row> {
  return { header, width: 20, number: true, value: (row) => percent(of(row)) };
}

/** A column of times in seconds, in the largest unit that they fill. */
export function times<Row>(header: string, of: (row: Row) => number | null): Column<Row> {
  return { header, width: header.length > 10 ? 26 : 18, number: true, value: (row) => time(of(row)) };
}

/** Rows as Typst files read them. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  return {
    columns: columns.map(({ header, width = null, number = false }) => ({ header, width, number })),
    rows: rows.map((row) => columns.map(({ value }) => value(row))),
  };
}

/** A fraction as a percentage; a dash if there is none. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Seconds in the largest unit that they fill; a dash if there are none. */
export function time(seconds: number | null): string {
  if (seconds === null) return '–';
  const [unit, length] = units.find((each) => seconds >= each[1]) ?? ['s', 1];
  return `${(seconds / length).toFixed(1)} ${unit}`;
}
