import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { CellValue } from '@runward/contract';
import { references } from '../../database/references.ts';

/** The change of one cell, or of a link, whose values are row ids. */
export interface CellChange {
  readonly columnId: string;
  readonly before: CellValue;
  readonly after: CellValue;
}

const types = ['CREATED', 'UPDATED', 'LINKED', 'UNLINKED'] as const;

/** A change of a row, and who made it. `active` is null if it did not change. */
export const DataSourceRowChange = defineEntity({
  name: 'DataSourceRowChange',
  tableName: 'data_source_row_changes',
  properties: {
    organizationId: p.uuid().primary(),
    rowId: references('data_source_rows', 'cascade').primary(),
    id: p.uuid().primary(),
    type: p.enum(types),
    at: p.datetime(),
    actorType: p.enum(['API_KEY', 'USER']),
    actorUserId: references('users'),
    actorApiKeyId: references('api_keys').nullable(),
    active: p.boolean().nullable(),
    changes: p.json<CellChange[]>(),
  },
});

/** A row of `data_source_row_changes`. */
export type DataSourceRowChange = InferEntity<typeof DataSourceRowChange>;
