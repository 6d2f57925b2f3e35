import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { DataSourceColumn } from './data-source-column.ts';
import { DataSourceRow } from './data-source-row.ts';

/** A link of a RELATION column from a row of its data source to a row of its target. */
export const DataSourceLink = defineEntity({
  name: 'DataSourceLink',
  tableName: 'data_source_links',
  properties: {
    organizationId: p.uuid().primary(),
    fromRowId: p.uuid().primary(),
    columnId: p.uuid().primary(),
    toRowId: p.uuid().primary(),
    column: () =>
      p
        .manyToOne(DataSourceColumn)
        .joinColumns('organization_id', 'column_id')
        .deleteRule('cascade')
        .lazyRef()
        .persist(false),
    fromRow: () =>
      p
        .manyToOne(DataSourceRow)
        .joinColumns('organization_id', 'from_row_id')
        .deleteRule('cascade')
        .lazyRef()
        .persist(false),
    toRow: () =>
      p
        .manyToOne(DataSourceRow)
        .joinColumns('organization_id', 'to_row_id')
        .deleteRule('cascade')
        .lazyRef()
        .persist(false),
  },
  indexes: [
    { name: 'data_source_links_to_index', properties: ['organizationId', 'toRowId', 'columnId'] },
    { name: 'data_source_links_column_index', properties: ['organizationId', 'columnId'] },
  ],
});

/** A row of `data_source_links`. */
export type DataSourceLink = InferEntity<typeof DataSourceLink>;
