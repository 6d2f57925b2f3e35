import { query } from './collect.ts';
import type { MailHistory, MailMember, MailRow, NotificationRow } from './mail-history.ts';

/** Reads what the database says about mails and who they are for. */
export async function collectMails(
  databaseUrl: string,
): Promise<Pick<MailHistory, 'members' | 'notifications' | 'mails'>> {
  return {
    members: await query<MailMember>(
      databaseUrl,
      `select id, coalesce((select kinds from notification_preferences where user_id = users.id), '{}') as choices,
        (select coalesce(json_agg(group_id), '[]') from group_members where user_id = users.id) as "groupIds"
      from users`,
    ),
    notifications: await query<NotificationRow>(
      databaseUrl,
      `select id, user_id as "userId", kind, event_id as "eventId", mail_id as "mailId",
        round(extract(epoch from due_at) * 1000)::float8 as "dueAt", dropped_reason as "droppedReason"
      from notifications order by created_at, id`,
    ),
    mails: await query<MailRow>(
      databaseUrl,
      `select id, user_id as "userId", to_address as to, message_id as "messageId", status,
        jsonb_array_length(attempts) as attempts
      from mails order by created_at, id`,
    ),
  };
}
