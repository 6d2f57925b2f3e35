import { exactNumber, formats, normalizeTimestamp, parseCell, type CellValue } from '@runward/contract';
import { caseFolded } from '@runward/engine';
import type { Column, DataSource } from '@runward/sdk';
import { findColumn, similar } from '@runward/sdk/find';
import type { CsvFile } from '../csv-launch/read-csv.ts';
import { rejectedLines, usage } from '../errors.ts';
import { withoutApostrophe } from '../output/csv-line.ts';

/** A row to send. `key` is the text of its key column, if there is one. */
export interface ImportRow {
  readonly line: number;
  readonly key: string | null;
  readonly cells: Readonly<Record<string, CellValue>>;
  /** Default: true. */
  readonly active?: boolean;
}

/** Whether a row is active, as a column of a file. No column of a data source has this name. */
export const activeColumn: Column = { id: 'active', name: 'active', type: 'BOOLEAN', position: 0, config: null };

/** A column of a data source and the column of the file that fills it. */
export interface MappedColumn {
  readonly column: Column;
  readonly source: string;
}

/**
 * Reads `--map column=source`. Without this option, each column of the file fills the column of the same name, or
 * says as `active` whether the row is.
 *
 * @throws CliError for a column that the data source or the file does not have, or that would be filled twice
 */
export function readColumns(
  specs: readonly (readonly [column: string, source: string])[],
  dataSource: DataSource,
  { columns }: CsvFile,
): MappedColumn[] {
  const pairs = specs.length > 0 ? specs : columns.map((name) => [withoutApostrophe(name), name] as const);
  const mapped = pairs.map(([name, source]) => {
    const column = name.toLowerCase() === activeColumn.name ? activeColumn : findColumn(dataSource, name);
    if (column.type === 'RELATION') throw usage(`--map ${name}=…: a RELATION column has links instead of cells.`);
    if (columns.includes(source)) return { column, source };
    const hint = similar(source, columns);
    const remedy = hint.length > 0 ? `Did you mean ${hint.join(' or ')}?` : `The columns are: ${columns.join(', ')}.`;
    throw usage(`--map ${name}=${source}: the file has no column "${source}". ${remedy}`);
  });
  for (const [first, second] of Map.groupBy(mapped, ({ column }) => column.id).values()) {
    if (!first || !second) continue;
    const both = `The columns "${first.source}" and "${second.source}" of the file`;
    throw usage(`${both} would both fill "${first.column.name}"; use --map to choose one.`);
  }
  return mapped;
}

/**
 * Converts the rows of a file to cells. Text that looks like a formula stays text, and loses the apostrophe that
 * exports put in front of it.
 *
 * @throws CliError listing every cell that does not fit its column, and keys that are empty or repeated
 */
export function prepareImport(
  { rows }: CsvFile,
  mapped: readonly MappedColumn[],
  keyColumn: Column | null,
): ImportRow[] {
  const keySource = mapped.find(({ column }) => column.id === keyColumn?.id)?.source ?? null;
  if (keyColumn && keySource === null) throw usage(`--key ${keyColumn.name}: map a column of the file to it.`);
  const errors: string[] = [];
  const seen = new Map<string, number>();
  const prepared = rows.map(({ line, cells }): ImportRow => {
    const values: Record<string, CellValue> = {};
    for (const { column, source } of mapped) {
      const text = withoutApostrophe(cells[source] ?? '');
      if (text === '') continue;
      const read = readCell(column, text);
      if ('problem' in read) errors.push(`line ${line}: ${column.name}: ${read.problem}`);
      else values[column.id] = read.value;
    }
    const key = keyColumn && keyOf(keyColumn, values[keyColumn.id] ?? '');
    if (key === '') errors.push(`line ${line}: the key column "${keyColumn?.name}" is empty`);
    const first = key === null ? undefined : seen.get(key);
    if (key !== null && key !== '' && first !== undefined)
      errors.push(`line ${line}: line ${first} already has the key "${key}"`);
    if (key !== null) seen.set(key, first ?? line);
    const { [activeColumn.id]: active, ...filled } = values;
    return { line, key, cells: filled, ...(typeof active === 'boolean' && { active }) };
  });
  if (errors.length > 0) throw rejectedLines('Nothing was imported. Correct these rows:', errors);
  return prepared;
}

/** Normalizes the cell of a key column, so that the same value always gives the same key. */
export function keyOf({ type }: Pick<Column, 'type'>, value: CellValue): string {
  const text = String(value);
  return type === 'DATETIME' && formats.isTimestamp(text) ? (normalizeTimestamp(text) ?? text) : text.normalize('NFC');
}

/** What a text means in a column, by the rules of the server. */
function readCell({ type, config }: Column, text: string): ReturnType<typeof parseCell> {
  const options = config !== null && 'options' in config ? config.options : [];
  const misfit = (reason: string) => ({ problem: `${JSON.stringify(text)} ${reason}` });
  let value: CellValue = text;
  if (type === 'NUMBER') {
    const number = exactNumber(text);
    if (number === undefined) return misfit('is not a number like 12.5 of at most 15 digits');
    value = number;
  }
  if (type === 'BOOLEAN') {
    if (!/^(?:true|false)$/i.test(text)) return misfit('is neither true nor false');
    value = text.toLowerCase() === 'true';
  }
  if (type === 'STATUS') {
    const known = options.find(({ key }) => key === text);
    const named = known ?? options.find(({ label }) => caseFolded(label) === caseFolded(text));
    if (!named) return misfit(`is none of the options ${options.map(({ label }) => label).join(', ')}`);
    value = named.key;
  }
  return parseCell({ type, settings: { options } }, value);
}
