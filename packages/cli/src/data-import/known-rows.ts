import type { Client, Column, DataSource, Row } from '@runward/sdk';
import { groupsOf } from '../groups.ts';
import { keyOf, type ImportRow } from './prepare-rows.ts';

/** A filter takes so many values, and a URL is limited. */
const mostInUrl = {
  items: 200,
  size: 4_000,
  sizeOf: (value: unknown) => encodeURIComponent(JSON.stringify(value)).length + 3,
};

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
  const values = rows.map(({ cells }) => cells[columnId] ?? null);
  const groups = hasFilter ? [...groupsOf(values, mostInUrl)] : [];
  if (!hasFilter || groups.length * mostInUrl.items > rowCount) return yield* dataSources.rows.list(id);
  for (const value of groups) {
    yield* dataSources.rows.list(id, { filters: JSON.stringify([{ columnId, operator: 'IN', value }]) });
  }
}
