import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/** A link of a RELATION column from a row of its data source to a row of its target. */
export const DataSourceLink = defineEntity({
  name: 'DataSourceLink',
  tableName: 'data_source_links',
  properties: {
    organizationId: p.uuid().primary(),
    fromRowId: references('data_source_rows', 'cascade').primary(),
    columnId: references('data_source_columns', 'cascade').primary(),
    toRowId: references('data_source_rows', 'cascade').primary(),
  },
  indexes: [
    { name: 'data_source_links_to_index', properties: ['organizationId', 'toRowId', 'columnId'] },
    { name: 'data_source_links_column_index', properties: ['organizationId', 'columnId'] },
  ],
});

/** A row of `data_source_links`. */
export type DataSourceLink = InferEntity<typeof DataSourceLink>;
