import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';
import type { NotificationCursor } from '../entities/notification-cursor.ts';

const start = statement(`
  insert into notification_cursors (organization_id, position)
  select organization.id,
    case when exists (select from notification_cursors) then 0 else coalesce(feed.position, 0) end
  from organizations organization left join event_feeds feed on feed.organization_id = organization.id
  where organization.id not in ${restingOrganizations}
    and not exists (select from notification_cursors cursor where cursor.organization_id = organization.id)
  on conflict do nothing`);

/**
 * Gives every organization without a cursor one. When the service sends mail for the first time, cursors begin at the
 * ends of the feeds, so that nobody is notified of what happened before; those of later organizations at the beginning.
 */
export async function startCursors(em: Em): Promise<void> {
  await start(em);
}

const behind = statement<{ id: string }>(`
  select cursor.organization_id as id from notification_cursors cursor
  join event_feeds feed on feed.organization_id = cursor.organization_id
  where feed.position > cursor.position and cursor.organization_id not in ${restingOrganizations}
  union
  select cursor.organization_id from notification_cursors cursor
  where cursor.organization_id not in ${restingOrganizations} and exists (select from notifications where organization_id = cursor.organization_id
    and mail_id is null and dropped_reason is null and due_at <= $1)`);

/** The organizations with events that have not become notifications, or with notifications that are due. */
export async function organizationsWithWork(em: Em, now: Date): Promise<string[]> {
  return (await behind(em, now)).map(({ id }) => id);
}

const lock = statement<Pick<NotificationCursor, 'position'>>(`
  select position from notification_cursors where organization_id = $1 for update`);

/** Locks the cursor of an organization until the transaction ends, and returns its position. */
export async function lockCursor(em: Em, organizationId: string): Promise<number> {
  const [cursor] = await lock(em, organizationId);
  if (!cursor) throw new Error(`The organization ${organizationId} has no cursor.`);
  return cursor.position;
}

const next = statement<{ position: number; body: string }>(`
  select position, body from events where organization_id = $1 and position > $2 order by position limit $3`);

/** The next events of an organization after a position of its feed. */
export async function nextEvents(em: Em, organizationId: string, position: number, limit: number) {
  return next(em, organizationId, position, limit);
}
