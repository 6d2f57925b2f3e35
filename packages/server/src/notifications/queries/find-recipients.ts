import type { NotificationChoice } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import type { Announcement } from '../announcements.ts';

/** A member to notify, with their preferences. */
export interface Recipient extends Pick<Announcement, 'eventId' | 'kind' | 'runId' | 'runTaskId' | 'commentId'> {
  readonly userId: string;
  /** Null if they have not chosen. */
  readonly choice: NotificationChoice | null;
  readonly digestHour: number | null;
  /** When the next mail to the member is written, in PostgreSQL's text format. */
  readonly pendingAt: string | null;
  readonly timeZone: string;
}

// "named" has ids of members and groups. The id of the organization, which means that anyone may approve, reaches
// nobody.
const select = statement<Recipient>(`
  with told as (
    select * from json_to_recordset($2) as told("eventId" uuid, kind text, audience text, "runId" uuid, "runTaskId" uuid,
      "entryId" uuid, "commentId" uuid, "actorUserId" uuid, "namedIds" jsonb)
  ), named as (
    select told.*, assignee.id, '[]'::jsonb as excluded from told
    join run_tasks task on task.organization_id = $1 and task.id = told."runTaskId"
    cross join lateral (values (task.assignee_id), (task.assignee_group_id)) assignee (id)
    where told.audience = 'ASSIGNEES'
    union all
    select told.*, approver.approver_id, approver.excluded_user_ids from told
    join task_approvers approver on approver.organization_id = $1 and approver.run_task_id = told."runTaskId"
    where told.audience = 'APPROVERS'
    union all
    select told.*, entry.created_by_user_id, '[]' from told
    join entries entry on entry.organization_id = $1 and entry.id = told."entryId"
    where told.audience = 'AUTHORS'
    union all
    select told.*, value.submitted_by_user_id, '[]' from told
    join field_values value
      on value.organization_id = $1 and value.run_id = told."runId" and value.entry_id = told."entryId"
    where told.audience = 'AUTHORS'
    union all
    select told.*, mention.id::uuid, '[]' from told
    cross join lateral jsonb_array_elements_text(told."namedIds") mention (id)
    where told.audience = 'NAMED'
  ), reached as (
    select named.*, named.id as user_id from named
    union all
    select named.*, member.user_id from named
    join group_members member on member.organization_id = $1 and member.group_id = named.id
  )
  select distinct reached."eventId", reached.kind, reached."runId", reached."runTaskId", reached."commentId",
    member.id as "userId", preference.kinds ->> reached.kind as choice, preference.digest_hour as "digestHour",
    pending.due_at as "pendingAt", organization.time_zone as "timeZone"
  from reached
  join organizations organization on organization.id = $1
  join users member on member.organization_id = $1 and member.id = reached.user_id and member.status = 'ACTIVE'
  left join notification_preferences preference on preference.organization_id = $1 and preference.user_id = member.id
  left join lateral (
    select min(due_at) as due_at from notifications
    where organization_id = $1 and user_id = member.id and mail_id is null and dropped_reason is null
  ) pending on true
  where member.id is distinct from reached."actorUserId" and not reached.excluded @> to_jsonb(member.id::text)`);

/** The active members that announcements reach, without those who caused the event. */
export async function findRecipients(
  em: Em,
  organizationId: string,
  announcements: readonly Announcement[],
): Promise<Recipient[]> {
  return announcements.length === 0 ? [] : select(em, organizationId, JSON.stringify(announcements));
}
