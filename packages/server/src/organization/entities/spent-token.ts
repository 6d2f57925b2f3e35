import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * What may be sent only once: the state of a sign-in that has succeeded, a logout token, or the token of a challenge
 * for a passkey. Only its SHA-256 is stored, which is unique over all organizations, until it would be rejected by its
 * age.
 */
export const SpentToken = defineEntity({
  name: 'SpentToken',
  tableName: 'spent_tokens',
  properties: {
    organizationId: references('organizations').primary(),
    tokenHash: p.blob().primary(),
    expiresAt: p.datetime(),
  },
  uniques: [{ name: 'spent_tokens_hash_key', properties: ['tokenHash'] }],
  indexes: [{ name: 'spent_tokens_expiry_index', properties: ['expiresAt'] }],
});

/** A row of `spent_tokens`. */
export type SpentToken = InferEntity<typeof SpentToken>;
