import { wrap } from '../wrap.ts';

const width = 116;

/** The words of Python that cannot be names. */
const keywords = new Set(
  (
    'and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** `templateId` becomes `template_id`, and a keyword gets an underscore: `from_`. */
export function pythonName(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return keywords.has(snake) ? `${snake}_` : snake;
}

/** Whether a name can be that of an attribute. */
export function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
}

/** A value of JSON in Python. */
export function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** A docstring with its indentation, wrapped, or nothing if there is no text. */
export function docstring(text: string, indent: string): string {
  const lines = text
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', '\\"\\"\\"')
    .split('\n')
    .flatMap((line) => wrap(line, width - indent.length));
  if (lines.join('') === '') return '';
  const [first = '', ...rest] = lines;
  // A quote before the closing quotes would be one of them.
  if (rest.length === 0) return `${indent}"""${first}${first.endsWith('"') ? ' ' : ''}"""\n`;
  return `${[`"""${first}`, ...rest, '"""'].map((line) => `${indent}${line}`.trimEnd()).join('\n')}\n`;
}
