import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import type { Notification } from '../entities/notification.ts';

/** A notification before it is written. */
export type NewNotification = Omit<Notification, 'mailId' | 'droppedReason'>;

const insert = statement(`
  insert into notifications
    (organization_id, id, user_id, kind, event_id, run_id, run_task_id, comment_id, created_at, due_at)
  select * from json_to_recordset($1) as notification("organizationId" uuid, id uuid, "userId" uuid, kind text,
    "eventId" uuid, "runId" uuid, "runTaskId" uuid, "commentId" uuid, "createdAt" timestamptz, "dueAt" timestamptz)`);

/** Writes notifications in one statement, because a group may have many members. */
export async function insertNotifications(em: Em, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length > 0) await insert(em, JSON.stringify(notifications));
}
