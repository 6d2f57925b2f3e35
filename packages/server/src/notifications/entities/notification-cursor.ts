import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * How far an organization's feed of events has become notifications. The row is locked while notifications or mails of
 * the organization are made. `unsubscribeKey` signs the links with which its members stop mails.
 */
export const NotificationCursor = defineEntity({
  name: 'NotificationCursor',
  tableName: 'notification_cursors',
  properties: {
    organizationId: references('organizations').primary(),
    position: p.bigint('number'),
    unsubscribeKey: p.uuid().defaultRaw('gen_random_uuid()'),
  },
});

/** A row of `notification_cursors`. */
export type NotificationCursor = InferEntity<typeof NotificationCursor>;
