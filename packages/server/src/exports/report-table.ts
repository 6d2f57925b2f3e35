import { duration, percent } from '@runward/engine';
import type { Printed } from './printed.ts';

type Cell = string | Printed;

/** A column of a table in a document: its header and the value of a row. */
export interface Column<Row> {
  readonly header: string;
  /** In millimetres. A column without a width takes the remaining space. */
  readonly width?: number;
  /** Whether the column has numbers, which are aligned to the right. */
  readonly number?: boolean;
  readonly value: (row: Row) => Cell;
}

/** A column of numbers. */
export function numbers<Row>(header: string, of: (row: Row) => number): Column<Row> {
  return { header, width: 18, number: true, value: (row) => of(row).toLocaleString('en') };
}

/** A column of fractions, as percentages. */
export function rates<Row>(header: string, of: (row: Row) => number | null): Column<Row> {
  return { header, width: 20, number: true, value: (row) => percent(of(row)) };
}

/** A column of times in seconds, shown in the largest unit that fits. */
export function times<Row>(header: string, of: (row: Row) => number | null): Column<Row> {
  return { header, width: header.length > 10 ? 26 : 18, number: true, value: (row) => duration(of(row)) };
}

/** A table, as Typst files read it. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  return {
    columns: columns.map(({ header, width = null, number = false }) => ({ header, width, number })),
    rows: rows.map((row) => columns.map(({ value }) => value(row))),
  };
}
