import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { CellValue } from '@runward/contract';
import { ApiKey } from '../../organization/entities/api-key.ts';
import { User } from '../../organization/entities/user.ts';
import { DataSourceRow } from './data-source-row.ts';

/** The change of one cell, or of a link, whose values are row ids. */
export interface CellChange {
  readonly columnId: string;
  readonly before: CellValue;
  readonly after: CellValue;
}

const types = ['CREATED', 'UPDATED', 'LINKED', 'UNLINKED'] as const;

/** A change of a row and who made it. `active` is null if it did not change. */
export const DataSourceRowChange = defineEntity({
  name: 'DataSourceRowChange',
  tableName: 'data_source_row_changes',
  properties: {
    organizationId: p.uuid().primary(),
    rowId: p.uuid().primary(),
    id: p.uuid().primary(),
    type: p.enum(types),
    at: p.datetime(),
    actorType: p.enum(['API_KEY', 'USER']),
    actorUserId: p.uuid(),
    actorApiKeyId: p.uuid().nullable(),
    active: p.boolean().nullable(),
    changes: p.json<CellChange[]>(),
    row: () =>
      p
        .manyToOne(DataSourceRow)
        .joinColumns('organization_id', 'row_id')
        .deleteRule('cascade')
        .lazyRef()
        .persist(false),
    actorUser: () => p.manyToOne(User).joinColumns('organization_id', 'actor_user_id').lazyRef().persist(false),
    actorApiKey: () =>
      p.manyToOne(ApiKey).joinColumns('organization_id', 'actor_api_key_id').nullable().lazyRef().persist(false),
  },
});

/** A row of `data_source_row_changes`. */
export type DataSourceRowChange = InferEntity<typeof DataSourceRowChange>;
