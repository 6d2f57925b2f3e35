import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/** Lets either a member or a group read a RESTRICTED portal. */
export const PortalAccessRule = defineEntity({
  name: 'PortalAccessRule',
  tableName: 'portal_access_rules',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    portalId: references('portals', 'cascade'),
    userId: references('users').nullable(),
    groupId: references('groups').nullable(),
    createdByUserId: references('users'),
    createdAt: p.datetime(),
  },
  uniques: [
    { name: 'portal_access_rules_user_key', properties: ['organizationId', 'portalId', 'userId'] },
    { name: 'portal_access_rules_group_key', properties: ['organizationId', 'portalId', 'groupId'] },
  ],
});

/** A row of `portal_access_rules`. */
export type PortalAccessRule = InferEntity<typeof PortalAccessRule>;
