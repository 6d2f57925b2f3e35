import { wrap } from '../wrap.ts';

const width = 116;

/** A doc comment of paragraphs and tags. Wraps long lines, except in examples. Empty if there is no text. */
export function comment(text: string, indent = ''): string {
  const lines = text
    .trim()
    .replaceAll('*/', '*\\/')
    .split('\n')
    .flatMap((line, index, all) => (isCode(all, index) ? [line] : wrap(line, width - indent.length)));
  if (lines.join('') === '') return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Examples stand at the end. */
function isCode(lines: readonly string[], index: number): boolean {
  const start = lines.indexOf('@example');
  return start !== -1 && index > start;
}
