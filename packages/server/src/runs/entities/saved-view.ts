import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { viewVisibilities, type FilterSet } from '@runward/contract';
import { references } from '../../database/references.ts';

/** A named filter set for runs. Records that it names may have been deleted since. */
export const SavedView = defineEntity({
  name: 'SavedView',
  tableName: 'saved_views',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    filters: p.json<FilterSet>(),
    visibility: p.enum(viewVisibilities),
    createdByUserId: references('users'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A row of `saved_views`. */
export type SavedView = InferEntity<typeof SavedView>;
