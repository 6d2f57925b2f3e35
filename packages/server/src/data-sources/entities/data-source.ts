import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * A table with the data of an organization. `rowCount` and `activeRowCount` are exact, because rows are written only
 * under the lock of the data source. `revision` grows with every change of its rows and columns.
 */
export const DataSource = defineEntity({
  name: 'DataSource',
  tableName: 'data_sources',
  properties: {
    organizationId: references('organizations').primary(),
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text().nullable(),
    rowCount: p.integer(),
    activeRowCount: p.integer(),
    revision: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A row of `data_sources`. */
export type DataSource = InferEntity<typeof DataSource>;
