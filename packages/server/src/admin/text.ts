import Table from 'cli-table3';

const borders = ['top', 'bottom', 'left', 'mid', 'right'].flatMap((name) => [
  name,
  `${name}-mid`,
  `${name}-left`,
  `${name}-right`,
]);
const borderless = {
  chars: { ...Object.fromEntries(borders.map((border) => [border, ''])), middle: '  ' },
  style: { 'padding-left': 0, 'padding-right': 0, border: [] },
};

/** Rows of cells in columns, one row per line. */
export function table(rows: readonly (readonly string[])[]): string {
  const drawn = new Table(borderless);
  for (const row of rows) drawn.push(row.map(printable));
  const lines = drawn.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Names and values, one pair per line. */
export function pairs(entries: Readonly<Record<string, string>>): string {
  return table(Object.entries(entries));
}

/** Removes control characters: names come from users and could steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '');
}
