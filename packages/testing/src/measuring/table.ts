import textWidth from 'fast-string-width';

/** Lays out rows in columns without borders. `alignments` has one entry per column. Lines have no trailing spaces. */
export function table(rows: readonly (readonly string[])[], alignments: readonly ('left' | 'right')[]): string {
  const widths = alignments.map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))));
  const aligned = (text: string, column: number) => {
    const space = ' '.repeat((widths[column] ?? 0) - textWidth(text));
    return alignments[column] === 'right' ? space + text : text + space;
  };
  return rows.map((row) => row.map(aligned).join('  ').trimEnd()).join('\n');
}
