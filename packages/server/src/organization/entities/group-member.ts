import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/** A member of a group. Deactivated users keep their membership. */
export const GroupMember = defineEntity({
  name: 'GroupMember',
  tableName: 'group_members',
  properties: {
    organizationId: p.uuid().primary(),
    groupId: references('groups', 'cascade').primary(),
    userId: references('users', 'cascade').primary(),
  },
  indexes: [{ name: 'group_members_user_index', properties: ['organizationId', 'userId', 'groupId'] }],
});

/** A row of `group_members`. */
export type GroupMember = InferEntity<typeof GroupMember>;
