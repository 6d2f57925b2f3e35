import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** An idempotency key that completed an entry. An organization can use each key once. */
export const EntryCompletionKey = defineEntity({
  name: 'EntryCompletionKey',
  tableName: 'entry_completion_keys',
  properties: {
    organizationId: p.uuid().primary(),
    idempotencyKey: p.uuid().primary(),
    entryId: p.uuid(),
  },
  indexes: [{ name: 'entry_completion_keys_entry_index', properties: ['organizationId', 'entryId'] }],
});

/** A row of `entry_completion_keys`. */
export type EntryCompletionKey = InferEntity<typeof EntryCompletionKey>;
