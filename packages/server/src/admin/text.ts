/** Names and values, one pair on a line. */
export function pairs(entries: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(value)}`)
    .join('\n');
}

/** Rows of cells, each column as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names come from users: what would steer the terminal is left out. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '');
}
