import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * A named set of members that tasks can be assigned to. A deleted group's row is kept for the tasks of finished runs.
 */
export const Group = defineEntity({
  name: 'Group',
  tableName: 'groups',
  properties: {
    organizationId: references('organizations').primary(),
    id: p.uuid().primary(),
    name: p.text(),
    createdAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'groups_name_index', properties: ['organizationId', 'name', 'id'] }],
});

/** A row of `groups`. */
export type Group = InferEntity<typeof Group>;
