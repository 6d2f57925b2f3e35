import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * The stored response of a request that was sent with an `Idempotency-Key`. `callerId` is the id of the API key or user
 * that sent it. It has no foreign key, because it refers to one of two tables. `key` and `requestHash` are hashes.
 * `body` is encrypted.
 */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    organizationId: references('organizations').primary(),
    callerId: p.uuid().primary(),
    key: p.text().primary(),
    requestHash: p.blob(),
    body: p.text().nullable(),
    createdAt: p.datetime(),
  },
  indexes: [{ name: 'idempotency_keys_age_index', properties: ['createdAt'] }],
});

/** A row of `idempotency_keys`. */
export type IdempotencyKey = InferEntity<typeof IdempotencyKey>;
