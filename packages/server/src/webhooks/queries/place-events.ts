import type { Database, Em } from '../../database/database.ts';
import { runStatement, statement } from '../../database/statement.ts';
import { inTransaction } from '../../database/transaction.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';

/** Small enough that other readers of the feed, who wait for the lock, do not wait long. */
const maximumBatch = 2_000;

/** The end of an organization's feed. */
export interface FeedEnd {
  /** The last position; 0 in an empty feed. */
  readonly position: number;
  /** When the oldest event without a position was created, in milliseconds. Null if all committed events have one. */
  readonly unplacedSince: number | null;
}

const isUnplaced = 'position is null and not is_test';

const end = statement<FeedEnd>(`
  select coalesce((select position from event_feeds where organization_id = $1), 0) as position,
    (select (extract(epoch from created_at) * 1000)::bigint from events where organization_id = $1 and ${isUnplaced}
     order by created_at limit 1) as "unplacedSince"`);

/** The end of an organization's feed. */
export async function endOfFeed(em: Em, organizationId: string): Promise<FeedEnd> {
  const [found] = await end(em, organizationId);
  return found ?? { position: 0, unplacedSince: null };
}

const useIndexes = statement(`
  select set_config('enable_' || name, 'off', true)
  from unnest(array['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material']) name`);

const lock = statement(`
  insert into event_feeds (organization_id, position) values ($1, 0)
  on conflict (organization_id) do update set position = event_feeds.position`);

/**
 * Lets no other transaction place events of an organization until this one ends. A separate statement, because a
 * statement that waits for a lock reads everything else as it was before the wait. Without statistics, as after a
 * restore, PostgreSQL would read the whole backlog for each batch. Therefore the rest of the transaction looks rows up
 * by indexes.
 */
export async function lockFeed(em: Em, organizationId: string): Promise<void> {
  await useIndexes(em);
  await lock(em, organizationId);
}

// An event is not visible before it is committed. The events of one run are committed in their order, and their times
// never go back. "limit 1" makes PostgreSQL look up each delivery by its key; without statistics, it would read all
// deliveries of the webhook for each event.
const place = (limit: number) => `
  with ordered as materialized (
    select id from webhooks where organization_id = $1 and ordered
  ), next as (
    select id, row_number() over (order by created_at, run_id, sequence, id) as number from (
      select id, run_id, sequence, created_at from events where organization_id = $1 and ${isUnplaced}
      order by created_at, run_id, sequence, id limit ${limit}) event
  ), placed as (
    update events set position = feed.position + next.number
    from event_feeds feed, next
    where feed.organization_id = $1 and events.organization_id = $1 and events.id = next.id
    returning events.id, events.position
  ), in_order as (
    update webhook_deliveries delivery set position = placed.position
    from placed cross join ordered cross join lateral (
      select organization_id, webhook_id, id from webhook_deliveries
      where organization_id = $1 and webhook_id = ordered.id and id = placed.id limit 1
    ) found
    where (delivery.organization_id, delivery.webhook_id, delivery.id) = (found.organization_id, found.webhook_id, found.id)
  )
  update event_feeds set position = position + (select count(*) from placed) where organization_id = $1
  returning position, (select count(*) from placed) as count`;

/**
 * Gives the next events of an organization, at most `limit`, a position, and their deliveries to ordered webhooks the
 * same. Returns the new end of the feed. Must run in a transaction. Only one transaction at a time places events, so
 * that no position appears before a lower one, and a reader cannot miss an event.
 */
export async function placeEvents(em: Em, organizationId: string, limit = maximumBatch): Promise<FeedEnd> {
  await lockFeed(em, organizationId);
  const [placed] = await runStatement<{ position: number; count: number }>(em, place(limit), [organizationId]);
  if (!placed || placed.count === limit) return endOfFeed(em, organizationId);
  return { position: placed.position, unplacedSince: null };
}

const lag = statement<{ seconds: number }>(`
  select coalesce(extract(epoch from now() - min(event.created_at)), 0)::float8 as seconds
  from organizations organization cross join lateral (
    select created_at from events where organization_id = organization.id and ${isUnplaced}
    order by created_at limit 1
  ) event where organization.id not in ${restingOrganizations}`);

/** The age in seconds of the oldest event without a position, of all organizations. 0 if there is none. */
export async function unplacedSeconds(em: Em): Promise<number> {
  return (await lag(em))[0]?.seconds ?? 0;
}

const behind = statement<{ id: string }>(`
  select id from organizations organization where id not in ${restingOrganizations} and exists (
    select from events where organization_id = organization.id and ${isUnplaced})`);

/**
 * Places the events of all organizations, so that the first reader does not wait for that. Organizations take turns,
 * one batch each. Throws an `AggregateError` at the end if organizations failed. The signal ends it between two
 * batches.
 */
export async function placeAllEvents(database: Database, signal: AbortSignal, limit = maximumBatch): Promise<void> {
  const failures: unknown[] = [];
  const hasMore = async (organizationId: string): Promise<boolean> => {
    if (signal.aborted) return false;
    try {
      const { unplacedSince } = await inTransaction(database, (em) => placeEvents(em, organizationId, limit));
      return unplacedSince !== null;
    } catch (error) {
      failures.push(error);
      return false;
    }
  };
  let waiting = (await behind(database.em.fork())).map(({ id }) => id);
  while (waiting.length > 0) {
    const left: string[] = [];
    for (const id of waiting) if (await hasMore(id)) left.push(id);
    waiting = left;
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `The events of ${failures.length} organizations were not placed.`);
}
