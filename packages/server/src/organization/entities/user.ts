import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { memberResourceModes, userRoles, userStatuses } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * A member of an organization. The email address is unique over all organizations. Invited members have no password
 * yet.
 */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    organizationId: references('organizations').primary(),
    id: p.uuid().primary(),
    email: p.text().check('email = lower(email)'),
    name: p.text(),
    role: p.enum(userRoles),
    resourceMode: p.enum(memberResourceModes).default('ALL'),
    status: p.enum(userStatuses),
    passwordHash: p.text().nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'users_email_key', properties: ['email'] }],
  indexes: [{ name: 'users_name_index', properties: ['organizationId', 'name', 'id'] }],
});

/** A row of `users`. */
export type User = InferEntity<typeof User>;
