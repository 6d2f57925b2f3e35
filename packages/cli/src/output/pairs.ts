import textWidth from 'fast-string-width';
import { printable } from './printable.ts';
import type { TableStyle } from './table.ts';
import { wrapped } from './wrapped.ts';

const gap = '  ';
/** Values are wrapped beside the names if there is room for an ID. */
const leastRoom = 36;

/**
 * Names and values, one line per pair that fits in `width`. A longer value is wrapped beside its name, or below it if
 * space is short.
 */
export function pairs(
  entries: readonly (readonly [string, string])[],
  { width, bold }: Pick<TableStyle, 'width' | 'bold'>,
): string {
  const nameWidth = Math.max(...entries.map(([name]) => textWidth(name)));
  const room = width - nameWidth - gap.length;
  const lines = entries.flatMap(([name, value]) => {
    const text = printable(value);
    const label = bold(name) + ' '.repeat(nameWidth - textWidth(name)) + gap;
    if (textWidth(text) <= room) return [label + text];
    if (room < leastRoom || text.split(' ').some((word) => textWidth(word) > room)) {
      return [bold(name), ...wrapped(text, width - gap.length).map((line) => gap + line)];
    }
    const indent = ' '.repeat(nameWidth + gap.length);
    return wrapped(text, room).map((line, index) => (index === 0 ? label : indent) + line);
  });
  return lines.map((line) => line.trimEnd()).join('\n');
}
