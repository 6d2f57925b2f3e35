import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Group } from './group.ts';
import { User } from './user.ts';

/** A member of a group. Deactivated users keep their membership. */
export const GroupMember = defineEntity({
  name: 'GroupMember',
  tableName: 'group_members',
  properties: {
    organizationId: p.uuid().primary(),
    groupId: p.uuid().primary(),
    userId: p.uuid().primary(),
    group: () =>
      p.manyToOne(Group).joinColumns('organization_id', 'group_id').deleteRule('cascade').lazyRef().persist(false),
    user: () =>
      p.manyToOne(User).joinColumns('organization_id', 'user_id').deleteRule('cascade').lazyRef().persist(false),
  },
});

/** A row of `group_members`. */
export type GroupMember = InferEntity<typeof GroupMember>;
