import Table from 'cli-table3';
import { isId } from '../lookup/ids.ts';
import { printable } from './printable.ts';

const gap = '  ';

const borderless = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: gap,
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};
const minimumWidth = 12;

/** How a table is drawn: `width` is the most columns a line may have, and `bold` styles the headings. */
export interface TableStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
}

/**
 * A table without borders. If it is wider than `width`, its widest column is cut; IDs are never cut, because they are
 * there to be copied.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width, bold }: TableStyle,
): string {
  const cells = rows.map((row) => row.map(printable));
  const heading = head.map(bold);
  const widths = head.map((name, index) => columnWidth([name, ...cells.map((row) => row[index] ?? '')]));
  const excess = widths.reduce((sum, one) => sum + one, gap.length * (head.length - 1)) - width;
  const cuttable = widths.map((one, index) => (hasIds(cells, index) ? 0 : one));
  const widest = Math.max(...cuttable);
  if (excess <= 0 || widest <= minimumWidth) return draw(heading, cells);
  return draw(heading, cells, widths.with(cuttable.indexOf(widest), Math.max(minimumWidth, widest - excess)));
}

/** Names and values, a line for each pair. */
export function pairs(entries: readonly (readonly [string, string])[], { bold }: Pick<TableStyle, 'bold'>): string {
  const drawn = new Table(borderless);
  for (const [name, value] of entries) drawn.push([bold(name), printable(value)]);
  return text(drawn);
}

function draw(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  colWidths: readonly number[] = [],
): string {
  const drawn = new Table({ ...borderless, head: [...head], colWidths: [...colWidths] });
  for (const row of rows) drawn.push([...row]);
  return text(drawn);
}

// Measured for each column alone and without styles: the library takes the width of a table from the string length of its first
// line, which is wrong for wide characters and for colors.
function columnWidth(column: readonly string[]): number {
  const drawn = new Table(borderless);
  for (const value of column) drawn.push([value]);
  return drawn.width;
}

function hasIds(rows: readonly (readonly string[])[], index: number): boolean {
  return rows.some((row) => isId(row[index] ?? ''));
}

function text(drawn: { toString(): string }): string {
  const lines = drawn.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
}
