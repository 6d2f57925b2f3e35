/** A line of a table: what it says, how much, and a remark. An indented label belongs to the line above it. */
export type Line = readonly [label: string, amount: string | number, remark?: string];

/** Lays lines out in columns, amounts to the right, between two rules. */
export function table(lines: readonly Line[]): string {
  const labels = Math.max(...lines.map(([label]) => label.length));
  const amounts = Math.max(...lines.map(([, amount]) => `${amount}`.length));
  const rows = lines.map(([label, amount, remark = '']) =>
    `  ${label.padEnd(labels)}  ${`${amount}`.padStart(amounts)}  ${remark}`.trimEnd(),
  );
  const rule = `  ${'─'.repeat(Math.max(...rows.map((row) => row.length)) - 2)}`;
  return [rule, ...rows, rule].join('\n');
}
