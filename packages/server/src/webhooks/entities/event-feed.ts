import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../../organization/entities/organization.ts';

/** The end of an organization's feed of events. Positions are assigned while its row is locked. */
export const EventFeed = defineEntity({
  name: 'EventFeed',
  tableName: 'event_feeds',
  properties: {
    organizationId: p.uuid().primary(),
    position: p.bigint('number'),
    organization: () => p.manyToOne(Organization).joinColumn('organization_id').lazyRef().persist(false),
  },
});

/** A row of `event_feeds`. */
export type EventFeed = InferEntity<typeof EventFeed>;
