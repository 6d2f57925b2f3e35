import { maximumAttemptMs } from '../../adapters/outbound-http.ts';
import type { SigningSecrets } from './sign.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

/** A delivery that only this worker may attempt until its lease expires. */
export interface ClaimedDelivery extends SigningSecrets {
  readonly webhookId: string;
  readonly id: string;
  readonly leaseToken: string;
  readonly url: string;
  readonly body: string;
  /** Number of attempts since the schedule began. */
  readonly tries: number;
  /** How long to wait before the attempt, so that a backlog is sent at the throttled rate. */
  readonly waitMs: number;
}

/** Bounds of a claim; times in seconds. */
export interface ClaimBounds {
  readonly most: number;
  readonly mostPerWebhook: number;
  readonly leaseSeconds: number;
  /** Delay before the first attempt of a delivery. */
  readonly firstDelay: number;
  /** Leases of attempts that ended but are not recorded yet; they do not count as in progress. */
  readonly over: readonly string[];
}

/**
 * Seconds after which an attempt has certainly ended: deliveries that a killed worker held do not block their webhooks for the whole lease.
 * The slack covers a throttled start and the recording of the result.
 */
const longestAttempt = maximumAttemptMs / 1000 + 5;

/** Attempts in progress that are reserved for the backlog of a webhook; the remaining ones go to new events first. */
const backlogShare = 2;

/** Seconds between two attempts of a webhook's backlog: slightly below 20 per second, to tolerate clock differences between machines. */
const backlogSpacing = 0.055;

/** Due deliveries of one lane, longest due first. Lanes: see entities/webhook-delivery.ts. */
const due = (lane: number) => `
  select id, lane, next_attempt_at from webhook_deliveries
  where webhook_id = webhook.id and status = 'PENDING' and lane = ${lane} and next_attempt_at <= now()`;

// "waiting" steps from webhook to webhook through the index, however many deliveries each has. "due" takes no locks, so that what it
// leaves to others is free; "locked" looks again, since another worker may have come first. Only what is pending has a time there; asking
// for the status would have PostgreSQL read all that is due where its statistics are from before. "paced" keeps the times at which the
// backlog of a webhook goes out apart, over all workers: each waits for the other's update of the webhook.
const claim = statement<ClaimedDelivery>(`
  with recursive waiting as (
    (select webhook_id from webhook_deliveries where status = 'PENDING' order by webhook_id limit 1)
    union all
    select (select webhook_id from webhook_deliveries
      where status = 'PENDING' and webhook_id > waiting.webhook_id order by webhook_id limit 1)
    from waiting where webhook_id is not null
  ), due as (
    select delivery.webhook_id, delivery.id
    from waiting join webhooks webhook on webhook.id = waiting.webhook_id
    cross join lateral (
      select count(*) as sending, count(*) filter (where lane = 1) as backlog from webhook_deliveries
      where webhook_id = webhook.id and lease_token is not null and lease_token <> all ($5::uuid[])
        and next_attempt_at > now() + make_interval(secs => greatest(0, $3::float8 - ${longestAttempt}))
    ) under_way
    cross join lateral (
      select webhook.id as webhook_id, id, next_attempt_at, row_number() over (order by rank, next_attempt_at) as turn
      from (
        select id, next_attempt_at, case when lane <> 1 then 1 when place + backlog <= ${backlogShare} then 0 else 2 end as rank
        from (
          (select *, 0 as place from (${due(0)} and webhook.enabled
            and created_at <= now() - make_interval(secs => $4) order by next_attempt_at limit $2) fresh)
          union all
          (select *, row_number() over (order by next_attempt_at) from (${due(1)} and webhook.enabled
            order by next_attempt_at limit $2) backlog)
          union all
          (select *, 0 from (${due(2)} order by next_attempt_at limit $2) test)
        ) open
      ) ranked
      order by rank, next_attempt_at limit greatest(0, $2 - sending)
    ) delivery
    order by delivery.turn, delivery.next_attempt_at limit $1
  ), locked as (
    select webhook_id, id, lane, next_attempt_at from webhook_deliveries
    where (webhook_id, id) in (select webhook_id, id from due) and next_attempt_at <= now()
    for update skip locked
  ), paced as (
    update webhooks set backlog_from = greatest(backlog_from, now()) + make_interval(secs => ${backlogSpacing} * backlog.count)
    from (select webhook_id, count(*) from locked where lane = 1 group by webhook_id) backlog
    where webhooks.id = backlog.webhook_id
    returning webhooks.id, backlog_from
  ), slot as (
    select locked.webhook_id, locked.id, paced.backlog_from - make_interval(secs => ${backlogSpacing}
      * row_number() over (partition by locked.webhook_id order by locked.next_attempt_at desc)) as starts_at
    from locked left join paced on paced.id = locked.webhook_id and locked.lane = 1
  )
  update webhook_deliveries delivery
  set lease_token = gen_random_uuid(), next_attempt_at = now() + make_interval(secs => $3)
  from slot, webhooks webhook, organizations organization, events event
  where delivery.webhook_id = slot.webhook_id and delivery.id = slot.id and webhook.id = slot.webhook_id
    and organization.id = delivery.organization_id and event.id = slot.id
  returning delivery.webhook_id as "webhookId", delivery.id, delivery.lease_token as "leaseToken", webhook.url, organization.signing_secret as secret,
    case when organization.previous_signing_secret_expires_at > now() then organization.previous_signing_secret end
      as "previousSecret", event.body, delivery.tries,
    greatest(0, coalesce(extract(epoch from slot.starts_at - now()) * 1000, 0))::float8 as "waitMs"`);

/**
 * Claims deliveries of all organizations that are due by the database's clock, in one statement. Each webhook gets its first delivery
 * before any gets its second, and at most `mostPerWebhook` are in progress per webhook. Deliveries of a disabled webhook wait, except tests.
 */
export async function claimDeliveries(em: Em, bounds: ClaimBounds): Promise<ClaimedDelivery[]> {
  const { most, mostPerWebhook, leaseSeconds, firstDelay, over } = bounds;
  return claim(em, most, mostPerWebhook, leaseSeconds, firstDelay, over);
}
