import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EventName } from '@runward/contract';

/**
 * A published event. `body` has the exact bytes that every delivery sends. `position` is the place in the
 * organization's feed, assigned after the event was committed (see `place-events.ts`). A test event has no run and no
 * position.
 *
 * There are no foreign keys to the run, the template or the deliveries, because events are purged by age.
 */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    runId: p.uuid().nullable(),
    templateId: p.uuid().nullable(),
    sequence: p.integer().nullable(),
    event: p.text().$type<EventName>(),
    body: p.text(),
    isTest: p.boolean().default(false),
    position: p.bigint('number').nullable(),
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'events_feed_index', properties: ['organizationId', 'position'], where: 'position is not null' },
    {
      name: 'events_unplaced_index',
      properties: ['organizationId', 'createdAt', 'runId', 'sequence'],
      where: 'position is null and not is_test',
    },
  ],
});

/** A row of `events`. */
export type Event = InferEntity<typeof Event>;
