import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

const end = statement<{ position: number; isBehind: boolean }>(`
  select coalesce((select position from event_feeds where organization_id = $1), 0) as position,
    exists (select from events where organization_id = $1 and position is null and not is_test) as "isBehind"`);

// A statement of its own: one that waits for a lock reads everything else as it was before the wait.
const lock = statement(`
  insert into event_feeds (organization_id, position) values ($1, 0)
  on conflict (organization_id) do update set position = event_feeds.position`);

// An event is not seen before it is committed, and events of one run are committed in their order. "not_before" keeps that order where a
// request had to wait for another that came later.
const place = statement<{ position: number }>(`
  with committed as (
    select id, run_id, sequence, max(created_at) over (partition by run_id order by sequence) as not_before
    from events where organization_id = $1 and position is null and not is_test
  ), placed as (
    update events set position = feed.position + next.number
    from event_feeds feed, (select id, row_number() over (order by not_before, run_id, sequence) as number from committed) next
    where feed.organization_id = $1 and events.organization_id = $1 and events.id = next.id
    returning events.id
  )
  update event_feeds set position = position + (select count(*) from placed) where organization_id = $1
  returning position`);

/** The last position in the feed of an organization, 0 in an empty one; null where committed events have no position yet. */
export async function endOfFeed(em: Em, organizationId: string): Promise<number | null> {
  const [found] = await end(em, organizationId);
  return found && !found.isBehind ? found.position : null;
}

/**
 * Gives every committed event of an organization a position and answers the last one. Must run in a transaction: one places at a time, so
 * that no position appears before a lower one and a reader can trust what it has passed.
 */
export async function placeEvents(em: Em, organizationId: string): Promise<number> {
  await lock(em, organizationId);
  return (await place(em, organizationId))[0]?.position ?? 0;
}

const behind = statement<{ id: string }>(`
  select id from organizations organization where exists (
    select from events where organization_id = organization.id and position is null and not is_test)`);

/** Organizations with committed events that have no position yet. */
export async function organizationsBehind(em: Em): Promise<string[]> {
  return (await behind(em)).map(({ id }) => id);
}
