import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { passwordLinkPurposes } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * The link with which a member can set a password. A member has at most one: the row is replaced by the next link, and
 * deleted when the link is used or revoked. Only the SHA-256 of its token is stored, which is unique over all
 * organizations.
 */
export const PasswordLink = defineEntity({
  name: 'PasswordLink',
  tableName: 'password_links',
  properties: {
    organizationId: p.uuid().primary(),
    userId: references('users', 'cascade').primary(),
    purpose: p.enum(passwordLinkPurposes),
    tokenHash: p.blob(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
  uniques: [{ name: 'password_links_token_hash_key', properties: ['tokenHash'] }],
});

/** A row of `password_links`. */
export type PasswordLink = InferEntity<typeof PasswordLink>;
