import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { notificationKinds } from '@runward/contract';
import { references } from '../../database/references.ts';

/** Why a notification did not become part of a mail. */
const dropReasons = ['DEACTIVATED', 'UNWANTED', 'OUT_OF_SCOPE', 'OBSOLETE'] as const;

/**
 * What an event notifies a member of. It is pending until it has become part of a mail (`mailId`) or was dropped.
 * `dueAt` is when the mail is written; all pending ones of a member with the choice AT_ONCE share it.
 *
 * There are no foreign keys to the event, the run, the comment and the mail, because these tables are purged by age.
 */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notifications',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    userId: references('users'),
    kind: p.enum(notificationKinds),
    eventId: p.uuid(),
    runId: p.uuid(),
    runTaskId: p.uuid().nullable(),
    commentId: p.uuid().nullable(),
    createdAt: p.datetime(),
    dueAt: p.datetime(),
    mailId: p.uuid().nullable(),
    droppedReason: p.enum(dropReasons).nullable(),
  },
  uniques: [{ name: 'notifications_event_key', properties: ['organizationId', 'eventId', 'userId', 'kind'] }],
  indexes: [
    {
      name: 'notifications_due_index',
      properties: ['organizationId', 'dueAt'],
      where: 'mail_id is null and dropped_reason is null',
    },
    { name: 'notifications_mail_index', properties: ['organizationId', 'mailId'], where: 'mail_id is not null' },
    {
      name: 'notifications_pending_index',
      properties: ['organizationId', 'userId', 'dueAt'],
      where: 'mail_id is null and dropped_reason is null',
    },
  ],
});

/** A row of `notifications`. */
export type Notification = InferEntity<typeof Notification>;

/** Why a notification did not become part of a mail. */
export type DropReason = (typeof dropReasons)[number];
