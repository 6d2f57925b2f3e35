import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/** The end of an organization's feed of events. Positions are assigned while this row is locked. */
export const EventFeed = defineEntity({
  name: 'EventFeed',
  tableName: 'event_feeds',
  properties: {
    organizationId: references('organizations').primary(),
    position: p.bigint('number'),
  },
});

/** A row of `event_feeds`. */
export type EventFeed = InferEntity<typeof EventFeed>;
