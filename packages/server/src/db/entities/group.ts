import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A named set of members that tasks can be assigned to. */
export const Group = defineEntity({
  name: 'Group',
  tableName: 'groups',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    createdAt: p.datetime(),
  },
});

/** A row of `groups`. */
export type Group = InferEntity<typeof Group>;
