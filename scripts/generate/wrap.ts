/** The lines of a wrapped text of one line. The indentation of a line of a list continues in the lines that follow. */
export function wrap(line: string, most: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const hanging = indent === '' ? '' : `${indent}    `;
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trim().split(' ')) {
    if (current.trim() !== '' && current.length + word.length >= most) {
      lines.push(current);
      current = hanging;
    }
    current = current.trim() === '' ? current + word : `${current} ${word}`;
  }
  return [...lines, current];
}
