import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A member of an organization; the email address is unique over all organizations. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    email: p.text(),
    name: p.text(),
    role: p.text().$type<'OWNER' | 'ADMIN' | 'MEMBER'>(),
    status: p.text().$type<'ACTIVE' | 'DEACTIVATED'>(),
    passwordHash: p.text(),
    createdAt: p.datetime(),
  },
});

/** A row of `users`. */
export type User = InferEntity<typeof User>;
