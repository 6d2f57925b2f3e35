import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A browser that is signed in. Only the SHA-256 of its cookie is kept. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    tokenHash: p.blob(),
    csrfToken: p.text(),
    createdAt: p.datetime(),
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});

/** A row of `sessions`. */
export type Session = InferEntity<typeof Session>;
