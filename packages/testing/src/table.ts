import Table from 'cli-table3';

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
    middle: '  ',
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

/** Lays rows out in columns without borders; `alignments` has one entry for each column. Lines have no trailing spaces. */
export function table(rows: readonly (readonly string[])[], alignments: readonly ('left' | 'right')[]): string {
  const drawn = new Table({ ...borderless, colAligns: [...alignments] });
  for (const row of rows) drawn.push([...row]);
  const lines = drawn.toString().split('\n');
  return lines.map((line) => line.trimEnd()).join('\n');
}
