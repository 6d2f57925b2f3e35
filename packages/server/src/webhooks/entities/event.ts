import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EventName } from '@runward/contract';

/**
 * Something that happened, as the world hears of it; `body` holds the exact bytes every delivery sends. `position` is its place in
 * the feed, given once it is committed (see `place-events.ts`). A test delivery has no run and no place.
 */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    runId: p.uuid().nullable(),
    templateId: p.uuid().nullable(),
    sequence: p.integer().nullable(),
    event: p.text().$type<EventName>(),
    body: p.text(),
    isTest: p.boolean(),
    createdAt: p.datetime(),
  },
});

/** A row of `events`. */
export type Event = InferEntity<typeof Event>;
