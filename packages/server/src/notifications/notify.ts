import { defaultDigestHour, type DeliveryPayload } from '@runward/contract';
import type { Database } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import { inTransaction } from '../database/transaction.ts';
import { newIdAt } from '../ids.ts';
import { announcementOf } from './announcements.ts';
import { dueAt } from './due-at.ts';
import { NotificationCursor } from './entities/notification-cursor.ts';
import { lockCursor, nextEvents } from './queries/advance-cursors.ts';
import { findRecipients, type Recipient } from './queries/find-recipients.ts';
import { insertNotifications, type NewNotification } from './queries/insert-notifications.ts';

/** Low, because an event can notify a group of 1,000 members, and all notifications of a batch are in memory. */
const batchSize = 20;

/**
 * Makes notifications of the events of an organization, each event once, because its cursor moves in the same
 * transaction. A mail about an event waits `delaySeconds` for further events. The signal ends it between two batches.
 */
export async function notifyMembers(
  database: Database,
  organizationId: string,
  delaySeconds: number,
  signal: AbortSignal,
  now = new Date(),
): Promise<void> {
  await inBatches(signal, batchSize, () =>
    inTransaction(database, async (em) => {
      const position = await lockCursor(em, organizationId);
      const events = await nextEvents(em, organizationId, position, batchSize);
      const last = events.at(-1);
      if (!last) return 0;
      const announcements = events.flatMap(({ body }) => announcementOf(JSON.parse(body) as DeliveryPayload) ?? []);
      const recipients = await findRecipients(em, organizationId, announcements);
      await insertNotifications(
        em,
        recipients.flatMap((recipient) => notificationFor(organizationId, recipient, delaySeconds, now)),
      );
      await em.nativeUpdate(NotificationCursor, { organizationId }, { position: last.position });
      return events.length;
    }),
  );
}

function notificationFor(
  organizationId: string,
  recipient: Recipient,
  delaySeconds: number,
  now: Date,
): NewNotification[] {
  const { choice, digestHour, pendingAt, timeZone, ...told } = recipient;
  if (choice === 'NEVER') return [];
  const timing = {
    choice: choice ?? 'AT_ONCE',
    digestHour: digestHour ?? defaultDigestHour,
    timeZone,
    pendingAt: pendingAt === null ? null : new Date(pendingAt),
    delaySeconds,
  };
  return [{ organizationId, id: newIdAt(now), ...told, createdAt: now, dueAt: dueAt(timing, now) }];
}
