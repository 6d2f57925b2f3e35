import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/** A template, or all templates in a folder, that a member or the members of a group have access to. */
export const Grant = defineEntity({
  name: 'Grant',
  tableName: 'grants',
  properties: {
    organizationId: references('organizations').primary(),
    id: p.uuid().primary(),
    userId: references('users').nullable(),
    groupId: references('groups').nullable(),
    templateId: references('templates').nullable(),
    folderId: references('folders', 'cascade').nullable(),
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'grants_user_index', properties: ['organizationId', 'userId'] },
    { name: 'grants_group_index', properties: ['organizationId', 'groupId'] },
  ],
});

/** A row of `grants`. */
export type Grant = InferEntity<typeof Grant>;
