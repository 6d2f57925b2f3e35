import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { columnTypes } from '@runward/contract';
import { references } from '../../database/references.ts';

/** What a column's type needs besides its target: STATUS its options, RELATION whether several links are allowed. */
export interface ColumnSettings {
  readonly options?: readonly { readonly key: string; readonly label: string }[];
  readonly multiple?: boolean;
}

/** A column of a data source. `slot` is the number of the `key` column in its rows with the sort key of its cells. */
export const DataSourceColumn = defineEntity({
  name: 'DataSourceColumn',
  tableName: 'data_source_columns',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    dataSourceId: references('data_sources', 'cascade'),
    slot: p.smallint(),
    name: p.text(),
    type: p.enum(columnTypes),
    position: p.integer(),
    settings: p.json<ColumnSettings>(),
    targetDataSourceId: references('data_sources').nullable(),
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
