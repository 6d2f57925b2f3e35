import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { columnTypes } from '@runward/contract';
import { DataSource } from './data-source.ts';

/** What the type of a column needs besides its target: the options of STATUS, whether RELATION allows several links. */
export interface ColumnSettings {
  readonly options?: readonly { readonly key: string; readonly label: string }[];
  readonly multiple?: boolean;
}

/** A column of a data source. `slot` is the number of the `key` column of its rows that holds the sort key of its cells. */
export const DataSourceColumn = defineEntity({
  name: 'DataSourceColumn',
  tableName: 'data_source_columns',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    dataSourceId: p.uuid(),
    slot: p.smallint(),
    name: p.text(),
    type: p.enum(columnTypes),
    position: p.integer(),
    settings: p.json<ColumnSettings>(),
    targetDataSourceId: p.uuid().nullable(),
    dataSource: () =>
      p
        .manyToOne(DataSource)
        .joinColumns('organization_id', 'data_source_id')
        .deleteRule('cascade')
        .lazyRef()
        .persist(false),
    targetDataSource: () =>
      p
        .manyToOne(DataSource)
        .joinColumns('organization_id', 'target_data_source_id')
        .nullable()
        .lazyRef()
        .persist(false),
  },
  uniques: [{ name: 'data_source_columns_slot_key', properties: ['organizationId', 'dataSourceId', 'slot'] }],
  indexes: [
    {
      name: 'data_source_columns_target_index',
      properties: ['organizationId', 'targetDataSourceId'],
      where: 'target_data_source_id is not null',
    },
  ],
});

/** A row of `data_source_columns`. */
export type DataSourceColumn = InferEntity<typeof DataSourceColumn>;
