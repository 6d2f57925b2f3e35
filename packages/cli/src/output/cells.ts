import { similar } from '@runward/sdk/find';
import { usage } from '../errors.ts';
import type { ColumnPriorities } from './table.ts';

/** The printed fields of a record: `columns` in a table, `fields` (all of them) in other formats. */
export interface Layout extends ColumnPriorities {
  readonly columns: readonly string[];
  readonly fields: readonly string[];
  /** The model of the record. Without one, any name after a dot will do. */
  readonly model?: string | undefined;
  /** Looks up the fields below a path, as `namesBelow` does. Without it, any name after a dot will do. */
  readonly namesBelow?: (path: readonly string[]) => readonly string[] | null;
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

/** A layout that knows the fields of its parts, if one of them is chosen. The schemas are loaded for nothing else. */
export async function withParts(layout: Layout, chosen: readonly string[] | null): Promise<Layout> {
  const { model } = layout;
  if (model === undefined || !chosen?.some((path) => path.includes('.'))) return layout;
  const { namesBelow } = await import('./names-below.ts');
  return { ...layout, namesBelow: namesBelow(model) };
}

/**
 * Reduces a record to the chosen fields. Each is there: null if the record has none.
 *
 * @throws CliError if neither the layout nor the record has a field of that name
 */
export function pick(record: unknown, chosen: readonly string[], layout: Layout): Record<string, unknown> {
  checkFields(chosen, layout, record);
  return Object.fromEntries(chosen.map((path) => [path, partOf(record, path) ?? null]));
}

/**
 * Checks the names of `--fields`. A field that only the record has is of a newer server.
 *
 * @throws CliError naming the unknown fields, with similar ones
 */
export function checkFields(chosen: readonly string[], { fields, namesBelow }: Layout, record: unknown = {}): void {
  const known = [
    ...new Set([...fields, ...(typeof record === 'object' && record !== null ? Object.keys(record) : [])]),
  ];
  if (known.length === 0) return;
  const problems = chosen.flatMap((path) => {
    if (hasValue(record, path)) return [];
    const names = path.split('.').filter((name, index) => index === 0 || !/^\d+$/.test(name));
    for (const [index, name] of names.entries()) {
      const above = names.slice(0, index);
      const own = index === 0 ? known : namesBelow?.(above);
      if (own && !own.includes(name)) return [unknownField(path, name, above, own)];
    }
    return [];
  });
  if (problems.length > 0) throw usage(...problems);
}

function hasValue(record: unknown, path: string): boolean {
  return [partOf(record, path)].flat(Infinity).some((value) => value !== undefined && value !== null);
}

function unknownField(path: string, name: string, above: readonly string[], own: readonly string[]): string {
  const shown = (names: readonly string[]) => names.map((each) => [...above, each].join('.'));
  const nearest = shown(similar(name, own)).join(' or ');
  const choices = own.length === 0 ? `${above.join('.')} has no fields.` : `Choose from ${shown(own).join(', ')}.`;
  return `--fields: unknown field ${path}. ${nearest === '' ? choices : `Did you mean ${nearest}?`}`;
}

/** A value as text for a table or CSV cell: null is empty, lists of plain values are joined, anything else is JSON. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return JSON.stringify(value) ?? '';
}
