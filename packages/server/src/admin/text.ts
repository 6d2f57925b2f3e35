import textWidth from 'fast-string-width';

/** Rows of cells in columns, one row per line. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => textWidth(row[column] ?? ''))));
  const padded = (text: string, column: number) => text + ' '.repeat((widths[column] ?? 0) - textWidth(text));
  return cells.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

/** Names and values, one pair per line. */
export function pairs(entries: Readonly<Record<string, string>>): string {
  return table(Object.entries(entries));
}

/** Removes control characters, because names come from users and could control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '');
}
