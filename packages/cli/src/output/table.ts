import { isId } from '@runward/sdk/find';
import textWidth from 'fast-string-width';
import { pairs } from './pairs.ts';
import { printable } from './printable.ts';

const gap = '  ';
const characters = new Intl.Segmenter();
/** Texts are first cut to this width, then columns of IDs are left out, then texts are cut to the smaller width. */
const readableWidth = 20;
const minimumWidth = 12;
/** The public ID of a run, which people copy too. */
const publicId = /^RUN-[0-9A-Z]+$/;

/** The style of a table. `width` is the maximum width of a line in columns; `bold` styles the headings. */
export interface TableStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
  /** Whether every column is printed, however narrow the terminal is. */
  readonly complete?: boolean;
}

/** Which columns a table keeps that is wider than the terminal. */
export interface ColumnPriorities {
  /**
   * The columns that are left out last, the most important first. Until two are left, only the least
   * important one is cut below 20 columns.
   */
  readonly priority?: readonly string[] | undefined;
  /** Columns that are never cut. Where one is left out, its value is below the line of its record. */
  readonly whole?: readonly string[] | undefined;
}

/**
 * A table without borders. If it is wider than `width`, its widest columns are cut. If that is not enough, columns of
 * IDs are left out, then those without a priority from the right, then the others. Without priorities the last column
 * stays. IDs are never cut, because people copy them.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width, bold, complete = false }: TableStyle,
  { priority, whole = [] }: ColumnPriorities = {},
): string {
  const cells = rows.map((row) => row.map(printable));
  const columns = head.map((name, index) => columnOf(name, index, cells, whole));
  const readable = fit(columns, width, (column) => Math.max(readableWidth, column.nameWidth));
  const isTooWide = lineWidth(readable) > width;
  const shown = isTooWide ? narrow(columns, width, { complete, priority }) : readable;
  const below = columns.filter(({ name, index }) => whole.includes(name) && shown.every((one) => one.index !== index));
  const heading = shown.map(({ name, drawnWidth }) => padded(name, drawnWidth, bold)).join(gap);
  const lines = cells.flatMap((row) => {
    const line = shown.map(({ index, drawnWidth }) => padded(row[index] ?? '', drawnWidth)).join(gap);
    return [line].concat(linesBelow(row, below, { width, bold }));
  });
  return [heading, ...lines].map((line) => line.trimEnd()).join('\n');
}

/** The values of a row that are below it, with their names. */
function linesBelow(
  row: readonly string[],
  columns: readonly Column[],
  { width, bold }: Pick<TableStyle, 'width' | 'bold'>,
): string[] {
  const entries = columns.flatMap(({ name, index }): (readonly [string, string])[] =>
    row[index] ? [[name, row[index]]] : [],
  );
  if (entries.length === 0) return [];
  const text = pairs(entries, { width: width - gap.length, bold });
  return text.split('\n').map((line) => gap + line);
}

interface Column {
  readonly name: string;
  readonly index: number;
  readonly hasIds: boolean;
  /** Whether it may not be cut. */
  readonly isWhole: boolean;
  readonly nameWidth: number;
  readonly drawnWidth: number;
}

function columnOf(
  name: string,
  index: number,
  cells: readonly (readonly string[])[],
  whole: readonly string[],
): Column {
  const texts = cells.map((row) => row[index] ?? '');
  const hasIds = texts.some(isId);
  return {
    name,
    index,
    hasIds,
    isWhole: hasIds || whole.includes(name) || texts.some((text) => publicId.test(text)),
    nameWidth: textWidth(name),
    drawnWidth: texts.reduce((most, text) => Math.max(most, textWidth(text)), textWidth(name)),
  };
}

/** Cuts the widest columns to one common width, but no column below its minimum, until the table fits. */
function fit(columns: readonly Column[], width: number, least: (column: Column) => number): readonly Column[] {
  const cutTo = (most: number) =>
    columns.map((column) => {
      const drawnWidth = Math.min(column.drawnWidth, Math.max(most, least(column)));
      return column.isWhole ? column : { ...column, drawnWidth };
    });
  let most = Math.min(width, Math.max(minimumWidth, ...columns.map(({ drawnWidth }) => drawnWidth)));
  while (most > minimumWidth && lineWidth(cutTo(most)) > width) most -= 1;
  return cutTo(most);
}

/**
 * Cuts the columns as far as needed. If that is not enough, returns those that fit, unless the table must be complete.
 */
function narrow(
  columns: readonly Column[],
  width: number,
  { complete, priority }: { readonly complete: boolean; readonly priority: ColumnPriorities['priority'] },
): readonly Column[] {
  const cut = (some: readonly Column[]) => fit(some, width, () => minimumWidth);
  if (complete) return cut(columns);
  let shown = withoutIds(columns);
  const least = (column: Column) =>
    priority && column !== leastImportant(shown, priority) ? readableWidth : minimumWidth;
  while (shown.length > 2 && lineWidth(fit(shown, width, least)) > width) {
    const left = leastImportant(shown, priority);
    shown = shown.filter((column) => column !== left);
  }
  const fitted = fit(shown, width, least);
  return lineWidth(fitted) > width ? cut(shown) : fitted;
}

/** The column to leave out first, which is by default the last but one. */
function leastImportant(columns: readonly Column[], priority: readonly string[] = []): Column | undefined {
  if (priority.length === 0) return columns.at(-2);
  const rank = ({ name, index }: Column) =>
    priority.includes(name) ? priority.indexOf(name) : priority.length + index;
  return columns.toSorted((one, other) => rank(other) - rank(one))[0];
}

/** A table of nothing but IDs keeps them. */
function withoutIds(columns: readonly Column[]): readonly Column[] {
  const others = columns.filter(({ hasIds }) => !hasIds);
  return others.length > 0 ? others : columns;
}

function lineWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { drawnWidth }) => sum + drawnWidth, gap.length * (columns.length - 1));
}

function padded(text: string, width: number, style: TableStyle['bold'] = String): string {
  const shown = cut(text, width);
  return style(shown) + ' '.repeat(width - textWidth(shown));
}

/** The start of a text that fits in `width`, with an ellipsis if something was cut off. */
function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let start = '';
  // Cutting inside a character, such as a flag, would leave a different character.
  for (const { segment } of characters.segment(text)) {
    if (textWidth(`${start}${segment}…`) > width) break;
    start += segment;
  }
  return `${start}…`;
}
