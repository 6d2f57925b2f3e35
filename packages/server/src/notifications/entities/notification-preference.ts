import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { defaultDigestHour, type NotificationChoice, type NotificationKind } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * Which notifications a member wants by mail, and when. A kind without a choice is AT_ONCE. `digestHour` is an hour of
 * the organization's time zone.
 */
export const NotificationPreference = defineEntity({
  name: 'NotificationPreference',
  tableName: 'notification_preferences',
  properties: {
    organizationId: p.uuid().primary(),
    userId: references('users').primary(),
    kinds: p.json<Partial<Record<NotificationKind, NotificationChoice>>>().defaultRaw(`'{}'`),
    digestHour: p.smallint().default(defaultDigestHour),
  },
});

/** A row of `notification_preferences`. */
export type NotificationPreference = InferEntity<typeof NotificationPreference>;
