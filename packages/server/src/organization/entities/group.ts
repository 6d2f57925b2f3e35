import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A named set of members that tasks can be assigned to. A deleted one keeps its row for the tasks of finished runs. */
export const Group = defineEntity({
  name: 'Group',
  tableName: 'groups',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    createdAt: p.datetime(),
    deletedAt: p.datetime().nullable(),
  },
});

/** A row of `groups`. */
export type Group = InferEntity<typeof Group>;
