import type { Client, Column, DataSource, Row } from '@runward/sdk';
import { keyOf, type ImportRow } from './prepare-rows.ts';

/** A filter takes so many values, and a URL is limited. */
const maximumValues = 200;
const maximumCharacters = 4_000;

/** The rows whose keys do not exist in the data source yet. */
export async function withoutKnown(
  client: Client,
  source: DataSource,
  rows: readonly ImportRow[],
  keyColumn: Column | null,
): Promise<ImportRow[]> {
  if (!keyColumn || source.rowCount === 0) return [...rows];
  const known = new Set<string>();
  for await (const { cells } of rowsToCompare(client, source, rows, keyColumn)) {
    const value = cells[keyColumn.id];
    if (value !== undefined) known.add(keyOf(keyColumn, value));
  }
  return rows.filter(({ key }) => key === null || !known.has(key));
}

/** Reads all rows of the data source, or only those with the keys if that takes fewer requests. */
async function* rowsToCompare(
  { dataSources }: Client,
  { id, rowCount }: DataSource,
  rows: readonly ImportRow[],
  { id: columnId, type }: Column,
): AsyncGenerator<Row> {
  const hasFilter = type === 'TEXT' || type === 'NUMBER';
  const groups = hasFilter ? [...groupsOf(rows.map(({ cells }) => cells[columnId] ?? null))] : [];
  if (!hasFilter || groups.length * maximumValues > rowCount) return yield* dataSources.rows.list(id);
  for (const value of groups) {
    yield* dataSources.rows.list(id, { filters: JSON.stringify([{ columnId, operator: 'IN', value }]) });
  }
}

function* groupsOf<Value>(values: readonly Value[]): Generator<Value[]> {
  let group: Value[] = [];
  let size = 0;
  for (const value of values) {
    const length = encodeURIComponent(JSON.stringify(value)).length + 3;
    if (group.length === maximumValues || (group.length > 0 && size + length > maximumCharacters)) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(value);
    size += length;
  }
  if (group.length > 0) yield group;
}
