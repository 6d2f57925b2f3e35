import { usage } from '../errors.ts';
import type { ColumnPriorities } from './table.ts';

/** The printed fields of a record: `columns` in a table, `fields` (all of them) in other formats. */
export interface Layout extends ColumnPriorities {
  readonly columns: readonly string[];
  readonly fields: readonly string[];
  /** What several of the records are called, like `saved views`. */
  readonly plural?: string | undefined;
  /** A field by which tables are divided, unless `--fields` names columns, and the heading for each of its values. */
  readonly groups?: { readonly field: string; readonly headings: Readonly<Record<string, string>> };
  /** A field that holds a list of records. The table of a single record shows that list below it. */
  readonly below?: { readonly field: string; readonly layout: Layout };
}

/**
 * A field of a record, by name or dotted path like `actor.userId`. A list has one value for each of its items
 * (`tasks.title`), or that of one item (`tasks.0.title`). Undefined if there is none.
 */
export function partOf(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (Array.isArray(value) && !/^\d+$/.test(name)) return value.flat().map((item) => partOf(item, name) ?? null);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, record);
}

/**
 * Reduces a record to the chosen fields. Each is there: null if the record has none.
 *
 * @throws CliError if neither the layout nor the record has a field of that name
 */
export function pick(record: unknown, chosen: readonly string[], { fields }: Layout): Record<string, unknown> {
  const known = new Set([...fields, ...(typeof record === 'object' && record !== null ? Object.keys(record) : [])]);
  checkFields(chosen, [...known]);
  return Object.fromEntries(chosen.map((path) => [path, partOf(record, path) ?? null]));
}

/**
 * Checks the names of `--fields`.
 *
 * @throws CliError listing the unknown names
 */
export function checkFields(chosen: readonly string[], known: readonly string[]): void {
  const unknown = chosen.filter((path) => !known.includes(path.split('.')[0] ?? ''));
  if (unknown.length === 0) return;
  throw usage(`--fields: unknown field ${unknown.join(', ')}. Choose from ${known.join(', ')}.`);
}

/** A value as text for a table or CSV cell: null is empty, lists of plain values are joined, anything else is JSON. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return JSON.stringify(value) ?? '';
}
