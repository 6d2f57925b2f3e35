import { plansWith } from '../../access/plan.ts';
import { maximumAttemptMs } from '../../adapters/outbound-http.ts';
import { selectList } from '../../database/columns.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import type { SigningSecrets } from '../delivery/sign.ts';
import { Event } from '../entities/event.ts';
import { queues, WebhookDelivery } from '../entities/webhook-delivery.ts';
import { Webhook } from '../entities/webhook.ts';

/** A delivery that only this worker may attempt until its lease expires. */
export interface ClaimedDelivery extends SigningSecrets {
  readonly organizationId: string;
  readonly webhookId: string;
  readonly id: string;
  readonly leaseToken: string;
  readonly url: string;
  readonly body: string;
  /** Number of attempts since the retry schedule began. */
  readonly tries: number;
  /** How long to wait before the attempt, so that a backlog is sent at the throttled rate. */
  readonly waitMs: number;
}

/** The limits of a claim; times in seconds. */
export interface ClaimBounds {
  readonly most: number;
  readonly mostPerWebhook: number;
  readonly leaseSeconds: number;
  /** Delay before the first attempt of a delivery. */
  readonly firstDelay: number;
  /** Leases of attempts that ended but are not recorded yet. They do not count as in progress. */
  readonly over: readonly string[];
}

/**
 * Seconds after which an attempt has certainly ended, so that deliveries of a killed worker do not block their webhooks
 * for the whole lease. The slack covers a throttled start and the recording of the result.
 */
const longestAttempt = maximumAttemptMs / 1000 + 5;

/** Attempts in progress that are reserved for the backlog of a webhook. The others go to new events first. */
const backlogShare = 2;

/**
 * Seconds between two attempts of a webhook's backlog. This is slightly fewer than 20 attempts per second, to tolerate
 * clock differences between machines.
 */
const backlogSpacing = 0.055;

/** The plans that include webhooks, as SQL. The deliveries of other organizations wait. */
const paidPlans = plansWith('publicApi')
  .map((plan) => `'${plan}'`)
  .join(', ');

/** Due deliveries in one queue of a webhook, the longest due first. */
const due = (queue: number) => `
  select id, queue, next_attempt_at from webhook_deliveries
  where organization_id = webhook.organization_id and webhook_id = webhook.id
    and status = 'PENDING' and queue = ${queue} and next_attempt_at <= now()`;

// "waiting" steps from webhook to webhook through the index, however many deliveries each has. "due" takes no locks, so
// that other workers can claim what it leaves. "locked" checks again, because another worker may have been faster.
// next_attempt_at is set only while a delivery is pending. If the query also filtered by status, stale statistics would
// make the planner scan every due row. "spaced" keeps the attempts of a webhook's backlog apart over all workers,
// because each worker waits for the update of the webhook by another.
const claim = statement<ClaimedDelivery>(`
  with recursive waiting as (
    (select organization_id, webhook_id from webhook_deliveries
      where status = 'PENDING' order by organization_id, webhook_id limit 1)
    union all
    select next.organization_id, next.webhook_id
    from waiting cross join lateral (
      select organization_id, webhook_id from webhook_deliveries
      where status = 'PENDING' and (organization_id, webhook_id) > (waiting.organization_id, waiting.webhook_id)
      order by organization_id, webhook_id limit 1
    ) next
  ), due as (
    select delivery.organization_id, delivery.webhook_id, delivery.id
    from waiting
    join organizations payer on payer.id = waiting.organization_id and payer.plan in (${paidPlans})
    join webhooks webhook on webhook.organization_id = waiting.organization_id and webhook.id = waiting.webhook_id
    cross join lateral (
      select count(*) as sending, count(*) filter (where queue = ${queues.backlog}) as backlog from webhook_deliveries
      where organization_id = webhook.organization_id and webhook_id = webhook.id
        and lease_token is not null and lease_token <> all ($5::uuid[])
        and next_attempt_at > now() + make_interval(secs => greatest(0, $3::float8 - ${longestAttempt}))
    ) under_way
    cross join lateral (
      select webhook.organization_id, webhook.id as webhook_id, id, next_attempt_at,
        row_number() over (order by rank, next_attempt_at) as turn
      from (
        select id, next_attempt_at,
          case when queue <> ${queues.backlog} then 1 when place + backlog <= ${backlogShare} then 0 else 2 end as rank
        from (
          (select *, 0 as place from (${due(queues.fresh)} and webhook.enabled
            and created_at <= now() - make_interval(secs => $4) order by next_attempt_at limit $2) fresh)
          union all
          (select *, row_number() over (order by next_attempt_at) from (${due(queues.backlog)} and webhook.enabled
            order by next_attempt_at limit $2) backlog)
          union all
          (select *, 0 from (${due(queues.test)} order by next_attempt_at limit $2) test)
        ) open
      ) ranked
      order by rank, next_attempt_at limit greatest(0, $2 - sending)
    ) delivery
    order by delivery.turn, delivery.next_attempt_at limit $1
  ), locked as (
    select organization_id, webhook_id, id, queue, next_attempt_at from webhook_deliveries
    where (organization_id, webhook_id, id) in (select organization_id, webhook_id, id from due) and next_attempt_at <= now()
    for update skip locked
  ), spaced as (
    update webhooks set backlog_from = greatest(backlog_from, now()) + make_interval(secs => ${backlogSpacing} * backlog.count)
    from (
      select organization_id, webhook_id, count(*) from locked where queue = ${queues.backlog} group by organization_id, webhook_id
    ) backlog
    where webhooks.organization_id = backlog.organization_id and webhooks.id = backlog.webhook_id
    returning webhooks.organization_id, webhooks.id, backlog_from
  ), slot as (
    select locked.organization_id, locked.webhook_id, locked.id, spaced.backlog_from - make_interval(secs => ${backlogSpacing}
      * row_number() over (
        partition by locked.organization_id, locked.webhook_id order by locked.next_attempt_at desc)) as starts_at
    from locked left join spaced on spaced.organization_id = locked.organization_id and spaced.id = locked.webhook_id
      and locked.queue = ${queues.backlog}
  )
  update webhook_deliveries delivery
  set lease_token = gen_random_uuid(), next_attempt_at = now() + make_interval(secs => $3)
  from slot, webhooks webhook, organizations organization, events event, lateral (
    select webhook.signing_secret, webhook.previous_signing_secret, webhook.previous_signing_secret_expires_at
      where webhook.signing_secret is not null
    union all
    select organization.signing_secret, organization.previous_signing_secret, organization.previous_signing_secret_expires_at
      where webhook.signing_secret is null
  ) signer (secret, previous, previous_expires_at)
  where delivery.organization_id = slot.organization_id and delivery.webhook_id = slot.webhook_id and delivery.id = slot.id
    and webhook.organization_id = slot.organization_id and webhook.id = slot.webhook_id
    and organization.id = slot.organization_id
    and event.organization_id = slot.organization_id and event.id = slot.id
  returning ${selectList(WebhookDelivery, 'delivery', ['organizationId', 'webhookId', 'id', 'leaseToken', 'tries'])},
    ${selectList(Webhook, 'webhook', ['url'])}, ${selectList(Event, 'event', ['body'])}, signer.secret,
    case when signer.previous_expires_at > now() then signer.previous end as "previousSecret",
    greatest(0, coalesce(extract(epoch from slot.starts_at - now()) * 1000, 0))::float8 as "waitMs"`);

/**
 * In one statement, claims deliveries of all organizations that are due by the database's clock. Each webhook gets its
 * first delivery before any gets its second, and has at most `mostPerWebhook` in progress. Deliveries of a disabled
 * webhook wait, except tests. All deliveries of an organization whose plan does not include webhooks wait. The oldest
 * event comes first.
 */
export async function claimDeliveries(em: Em, bounds: ClaimBounds): Promise<ClaimedDelivery[]> {
  const { most, mostPerWebhook, leaseSeconds, firstDelay, over } = bounds;
  const claimed = await claim(em, most, mostPerWebhook, leaseSeconds, firstDelay, over);
  // An update returns its rows in no particular order.
  return claimed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
