import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { maximumColumns, type CellValue } from '@runward/contract';
import { references } from '../../database/references.ts';

/** The name of the property and database column with the sort keys of the column with a slot. Slots count from 1. */
export type KeyName = `key${number}`;

/** See {@link KeyName}. */
export function keyName(slot: number): KeyName {
  return `key${slot}`;
}

/** Every {@link KeyName}, by slot. */
export const keyNames = Array.from({ length: maximumColumns }, (_, index) => keyName(index + 1));
// Compared byte by byte, whatever the collation of the database.
const sortKey = () => p.text().collation('C').nullable();

/**
 * A row of a data source. `cells` has its values by column id. Everything else is derived from them to find rows:
 * `searchText` and the numbers of its `grams` for the search, and `key1` to `key50` for filters and sorting, each by
 * the slot of its column (decision 0031).
 */
export const DataSourceRow = defineEntity({
  name: 'DataSourceRow',
  tableName: 'data_source_rows',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    dataSourceId: references('data_sources', 'cascade'),
    active: p.boolean(),
    cells: p.json<Readonly<Record<string, CellValue>>>(),
    searchText: p.text(),
    grams: p.array((text) => Number(text)).columnType('int[]'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    ...(Object.fromEntries(keyNames.map((name) => [name, sortKey()])) as Record<KeyName, ReturnType<typeof sortKey>>),
  },
  indexes: [
    {
      name: 'data_source_rows_source_index',
      expression:
        'create index data_source_rows_source_index on data_source_rows (organization_id, data_source_id, id) include (active)',
    },
    {
      name: 'data_source_rows_grams_index',
      expression: 'create index data_source_rows_grams_index on data_source_rows using gin (grams)',
    },
    ...keyNames.map((key) => ({
      name: `data_source_rows_${key}_index`,
      expression:
        `create index data_source_rows_${key}_index on data_source_rows (organization_id, data_source_id, ${key}, id) ` +
        `include (active) where ${key} is not null`,
    })),
  ],
});

/** A row of `data_source_rows`. */
export type DataSourceRow = InferEntity<typeof DataSourceRow>;
