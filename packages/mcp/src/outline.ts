/**
 * Formats data as short text: `name: value` on a line, and lists as lines that begin with a dash. Null and empty values
 * are left out. Texts with line breaks or semicolons are quoted, so that user input cannot pass for further lines of
 * the outline.
 */
export function outline(data: Readonly<Record<string, unknown>>): string {
  return linesOf(data).join('\n');
}

/** A text that people entered, in a sentence: quotation marks in it cannot pass for its end. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

function linesOf(data: object): string[] {
  return Object.entries(data)
    .filter(([, value]) => !isEmpty(value))
    .flatMap(([name, value]) => propertyLines(name, value));
}

function propertyLines(name: string, value: unknown): string[] {
  if (!isDeep(value)) return [`${name}: ${inline(value)}`];
  const lines = Array.isArray(value) ? value.flatMap(itemLines) : linesOf(value as object).map(indent);
  return [`${name}:`, ...lines];
}

function itemLines(item: unknown): string[] {
  if (!isNested(item)) return [`- ${inline(item)}`];
  const entries = Object.entries(item).filter(([, value]) => !isEmpty(value));
  const flat = entries.filter(([, value]) => !isDeep(value));
  const deep = entries.filter(([, value]) => isDeep(value));
  const first = flat.map(([name, value]) => `${name}: ${inline(value)}`).join('; ');
  return [`- ${first}`, ...linesOf(Object.fromEntries(deep)).map(indent)];
}

function indent(line: string): string {
  return `  ${line}`;
}

/** Whether a value is printed on separate lines. */
function isDeep(value: unknown): boolean {
  return isNested(value) || (Array.isArray(value) && value.some(isNested));
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isNested(value) && Object.values(value).every(isEmpty))
  );
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.map(inline).join(', ');
  const text = String(value);
  return /[\p{Cc}\u2028\u2029;]/u.test(text) ? quoted(text) : text;
}
