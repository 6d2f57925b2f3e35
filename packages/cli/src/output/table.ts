import { styleText } from 'node:util';
import Table from 'cli-table3';
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
const narrowest = 12;

/**
 * Lines of a table without borders. Where it is wider than `width`, its widest column is cut; identifiers are never cut,
 * because they are there to be copied.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], width = Infinity): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = head.map((name, index) => columnWidth([name, ...cells.map((row) => row[index] ?? '')]));
  const excess = widths.reduce((sum, one) => sum + one, gap.length * (head.length - 1)) - width;
  const cuttable = widths.map((one, index) => (isIdentifier(cells, index) ? 0 : one));
  const most = Math.max(...cuttable);
  if (excess <= 0 || most <= narrowest) return draw(head, cells);
  return draw(head, cells, widths.with(cuttable.indexOf(most), Math.max(narrowest, most - excess)));
}

/** Lines of names and values, one pair each. */
export function pairs(entries: readonly (readonly [string, string])[]): string {
  const drawn = new Table(borderless);
  for (const [name, value] of entries) drawn.push([heading(name), printable(value)]);
  return text(drawn);
}

/** A title over a part of the output, bold on a terminal. */
export function heading(title: string): string {
  return styleText('bold', title, { stream: process.stdout });
}

function draw(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  colWidths: readonly number[] = [],
): string {
  const drawn = new Table({ ...borderless, head: head.map(heading), colWidths: [...colWidths] });
  for (const row of rows) drawn.push([...row]);
  return text(drawn);
}

// Of a column alone, headed by a plain name: the library counts letters of the first line, which says nothing about the width
// of a line with wide letters or colours.
function columnWidth(column: readonly string[]): number {
  const drawn = new Table(borderless);
  for (const value of column) drawn.push([value]);
  return drawn.width;
}

function isIdentifier(rows: readonly (readonly string[])[], index: number): boolean {
  return rows.some((row) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(row[index] ?? ''));
}

function text(drawn: { toString(): string }): string {
  const lines = drawn.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
}
