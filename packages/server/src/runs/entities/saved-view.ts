import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { viewVisibilities, type FilterSet } from '@runward/contract';
import { User } from '../../organization/entities/user.ts';

/** A filter set of runs under a name. What it names may have been deleted since. */
export const SavedView = defineEntity({
  name: 'SavedView',
  tableName: 'saved_views',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    filters: p.json<FilterSet>(),
    visibility: p.enum(viewVisibilities),
    createdByUserId: p.uuid(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    createdBy: () => p.manyToOne(User).joinColumns('organization_id', 'created_by_user_id').lazyRef().persist(false),
  },
});

/** A row of `saved_views`. */
export type SavedView = InferEntity<typeof SavedView>;
