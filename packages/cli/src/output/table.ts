import { isId } from '@runward/sdk/find';
import textWidth from 'fast-string-width';
import { printable } from './printable.ts';

const gap = '  ';
const characters = new Intl.Segmenter();
/** Texts are first cut to this width, then columns of IDs are left out, then texts are cut to the smaller width. */
const readableWidth = 20;
const minimumWidth = 12;

/** The style of a table. `width` is the maximum width of a line in columns; `bold` styles the headings. */
export interface TableStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
  /** Whether every column is printed, however narrow the terminal is. */
  readonly complete?: boolean;
}

/**
 * A table without borders. If it is wider than `width`, its widest columns are cut. If that is not enough, columns of
 * IDs are left out, then other columns from the right, except the last. IDs are never cut, because people copy them.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width, bold, complete = false }: TableStyle,
): string {
  const cells = rows.map((row) => row.map(printable));
  const columns = head.map((name, index) => columnOf(name, index, cells));
  const readable = fit(columns, width, (column) => Math.max(readableWidth, column.nameWidth));
  const isTooWide = lineWidth(readable) > width;
  const shown = isTooWide ? narrow(columns, width, complete) : readable;
  const heading = shown.map(({ name, drawnWidth }) => padded(name, drawnWidth, bold)).join(gap);
  const lines = cells.map((row) =>
    shown.map(({ index, drawnWidth }) => padded(row[index] ?? '', drawnWidth)).join(gap),
  );
  return [heading, ...lines].map((line) => line.trimEnd()).join('\n');
}

interface Column {
  readonly name: string;
  readonly index: number;
  readonly hasIds: boolean;
  readonly nameWidth: number;
  readonly drawnWidth: number;
}

function columnOf(name: string, index: number, cells: readonly (readonly string[])[]): Column {
  const texts = cells.map((row) => row[index] ?? '');
  return {
    name,
    index,
    hasIds: texts.some(isId),
    nameWidth: textWidth(name),
    drawnWidth: texts.reduce((most, text) => Math.max(most, textWidth(text)), textWidth(name)),
  };
}

/** Cuts the widest columns to one common width, but no column below its minimum, until the table fits. */
function fit(columns: readonly Column[], width: number, least: (column: Column) => number): readonly Column[] {
  const cutTo = (most: number) =>
    columns.map((column) => {
      const drawnWidth = Math.min(column.drawnWidth, Math.max(most, least(column)));
      return column.hasIds ? column : { ...column, drawnWidth };
    });
  let most = Math.min(width, Math.max(minimumWidth, ...columns.map(({ drawnWidth }) => drawnWidth)));
  while (most > minimumWidth && lineWidth(cutTo(most)) > width) most -= 1;
  return cutTo(most);
}

/**
 * Cuts the columns as far as needed. If that is not enough, returns those that fit, unless the table must be complete.
 */
function narrow(columns: readonly Column[], width: number, complete: boolean): readonly Column[] {
  const cut = (some: readonly Column[]) => fit(some, width, () => minimumWidth);
  if (complete) return cut(columns);
  let shown = withoutIds(columns);
  while (shown.length > 2 && lineWidth(cut(shown)) > width) shown = shown.toSpliced(-2, 1);
  return cut(shown);
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
