import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from './organization.ts';

/** A named set of members that tasks can be assigned to. A deleted group keeps its row for the tasks of finished runs. */
export const Group = defineEntity({
  name: 'Group',
  tableName: 'groups',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    createdAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
    organization: () => p.manyToOne(Organization).joinColumn('organization_id').lazyRef().persist(false),
  },
  indexes: [{ name: 'groups_name_index', properties: ['organizationId', 'name', 'id'] }],
});

/** A row of `groups`. */
export type Group = InferEntity<typeof Group>;
