import { usage } from '../errors.ts';

/** Which parts of a record are shown: `columns` by a table, `fields` (all there are) by the other formats. */
export interface Layout {
  readonly columns: readonly string[];
  readonly fields: readonly string[];
}

/** The names of a record's parts, from its schema in the contract. */
export function layout(schema: { readonly shape: object }, columns: readonly string[]): Layout {
  return { columns, fields: Object.keys(schema.shape) };
}

/** A part of a record by its name; dots lead further down, like `actor.userId`. Undefined where there is none. */
export function partOf(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, record);
}

/**
 * A record reduced to the chosen fields.
 *
 * @throws CliError when a field is neither of the layout nor of the record
 */
export function pick(record: unknown, chosen: readonly string[], { fields }: Layout): Record<string, unknown> {
  const known = new Set([...fields, ...(typeof record === 'object' && record !== null ? Object.keys(record) : [])]);
  checkFields(chosen, [...known]);
  return Object.fromEntries(chosen.map((path) => [path, partOf(record, path)]));
}

/** Refuses names that no record has. */
export function checkFields(chosen: readonly string[], known: readonly string[]): void {
  const unknown = chosen.filter((path) => !known.includes(path.split('.')[0] ?? ''));
  if (unknown.length === 0) return;
  throw usage(`--fields: there is no ${unknown.join(', ')} here. Choose from ${known.join(', ')}.`);
}

/** A value as text in a table or a CSV cell: nothing for null, plain lists joined, other structures as JSON. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return JSON.stringify(value) ?? '';
}
