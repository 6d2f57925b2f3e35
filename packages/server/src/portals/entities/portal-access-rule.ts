import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Group } from '../../organization/entities/group.ts';
import { User } from '../../organization/entities/user.ts';
import { Portal } from './portal.ts';

/** A member or a group, one of both, that may read a RESTRICTED portal. */
export const PortalAccessRule = defineEntity({
  name: 'PortalAccessRule',
  tableName: 'portal_access_rules',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    portalId: p.uuid(),
    userId: p.uuid().nullable(),
    groupId: p.uuid().nullable(),
    createdByUserId: p.uuid(),
    createdAt: p.datetime(),
    portal: () =>
      p.manyToOne(Portal).joinColumns('organization_id', 'portal_id').deleteRule('cascade').lazyRef().persist(false),
    user: () => p.manyToOne(User).joinColumns('organization_id', 'user_id').nullable().lazyRef().persist(false),
    group: () => p.manyToOne(Group).joinColumns('organization_id', 'group_id').nullable().lazyRef().persist(false),
    createdBy: () => p.manyToOne(User).joinColumns('organization_id', 'created_by_user_id').lazyRef().persist(false),
  },
  uniques: [
    { name: 'portal_access_rules_user_key', properties: ['organizationId', 'portalId', 'userId'] },
    { name: 'portal_access_rules_group_key', properties: ['organizationId', 'portalId', 'groupId'] },
  ],
});

/** A row of `portal_access_rules`. */
export type PortalAccessRule = InferEntity<typeof PortalAccessRule>;
