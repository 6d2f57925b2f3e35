import { randomUUID } from 'node:crypto';
import { plansWith } from '../../access/plan.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';
import { queues } from '../entities/webhook-delivery.ts';

/** A webhook whose deliveries only this worker may send until the lease ends. */
export interface Lease {
  readonly organizationId: string;
  readonly webhookId: string;
  /** Another one for each lease, so that results of an earlier one are not recorded. */
  readonly leaseToken: string;
}

/** A webhook of any organization. */
type Webhook = Pick<Lease, 'organizationId' | 'webhookId'>;

/** Which webhooks to lease. */
export interface LeaseBounds {
  readonly most: number;
  /** Only webhooks after this one. Null begins with the first. */
  readonly after: Webhook | null;
  /** How many webhooks the worker holds. */
  readonly held: number;
  readonly leaseSeconds: number;
  /** No webhooks of these organizations. */
  readonly skipped: ReadonlySet<string>;
}

/** The plans that include webhooks, as SQL. The deliveries of other organizations wait. */
const paidPlans = plansWith('publicApi')
  .map((plan) => `'${plan}'`)
  .join(', ');

/** For so many seconds a webhook that was given back for another worker waits for it. */
const reservedSeconds = 3;

const due = (queue: number, condition = 'true') => `
  exists (select from webhook_deliveries where organization_id = webhook.organization_id and webhook_id = webhook.id
    and status = 'PENDING' and queue = ${queue} and next_attempt_at <= now() and ${condition})`;

/**
 * Whether the first pending delivery of an ordered webhook is due. Null for other webhooks, and if none has a position
 * yet.
 */
const firstIsDue = (firstDelay: string) => `
  (select next_attempt_at <= now() and (queue <> ${queues.fresh} or created_at <= now() - make_interval(secs => ${firstDelay}))
    from webhook_deliveries
    where webhook.ordered and organization_id = webhook.organization_id and webhook_id = webhook.id
      and status = 'PENDING' and position is not null
    order by position limit 1)`;

/**
 * SQL for webhooks with pending deliveries after one, as `waiting`. It steps from webhook to webhook through the index,
 * however many deliveries each has, and only as far as its rows are read.
 */
const waitingAfter = (webhook: string) => `
  with recursive waiting as (
    (select organization_id, webhook_id from webhook_deliveries
      where status = 'PENDING' and (organization_id, webhook_id) > (${webhook})
      order by organization_id, webhook_id limit 1)
    union all
    select next.organization_id, next.webhook_id
    from waiting cross join lateral (
      select organization_id, webhook_id from webhook_deliveries
      where status = 'PENDING' and (organization_id, webhook_id) > (waiting.organization_id, waiting.webhook_id)
      order by organization_id, webhook_id limit 1
    ) next
  )`;

/**
 * Finds webhooks with due deliveries, in the order of their ids. A statement of its own, because Citus does not step
 * from row to row in one that also writes.
 */
const find = (condition: string) =>
  statement<Webhook>(`${waitingAfter('$1, $2')}
  select found.organization_id as "organizationId", id as "webhookId" from waiting cross join lateral (
    select organization_id, id from webhooks webhook
    where webhook.organization_id = waiting.organization_id and webhook.id = waiting.webhook_id and ${condition}
      and exists (select from organizations where id = webhook.organization_id and plan in (${paidPlans})
        and id not in ${restingOrganizations})
      and (${due(queues.test)} or webhook.enabled and coalesce(${firstIsDue('$4')}, ${due(queues.backlog)}
        or ${due(queues.fresh, 'created_at <= now() - make_interval(secs => $4)')}))
  ) found limit $3`);

/** Whether a worker that holds so many webhooks may lease one. */
const isFree = (held: string) => `coalesce(leased_until <= now(), true)
    and (wanted is null or wanted >= ${held} or leased_until < now() - interval '${reservedSeconds} s')`;

const findFree = find(`webhook.organization_id <> all($6) and ${isFree('$5')}`);
const findHeld = find('leased_until > now() and wanted is null');

// "skip locked" leaves what another worker is leasing. A row that was leased and given back meanwhile is checked again.
const lease = statement<Lease>(`
  with free as (
    select organization_id, id, "leaseToken" from webhooks webhook
    join json_to_recordset($1) as found ("organizationId" uuid, "webhookId" uuid, "leaseToken" uuid)
      on organization_id = "organizationId" and id = "webhookId"
    where ${isFree('$2')}
    for no key update of webhook skip locked
  )
  update webhooks webhook
  set lease_token = free."leaseToken", leased_until = now() + make_interval(secs => $3), wanted = null
  from free where webhook.organization_id = free.organization_id and webhook.id = free.id
  returning webhook.organization_id as "organizationId", webhook.id as "webhookId", lease_token as "leaseToken"`);

const want = statement(`
  update webhooks set wanted = $3 where organization_id = $1 and id = $2 and leased_until > now() and wanted is null`);

const first = '00000000-0000-0000-0000-000000000000';

const lag = statement<{ seconds: number }>(`${waitingAfter(`'${first}', '${first}'`)}
  select coalesce(extract(epoch from now() - min(delivery.next_attempt_at)), 0)::float8 as seconds
  from waiting
  join webhooks webhook on webhook.organization_id = waiting.organization_id and webhook.id = waiting.webhook_id
  join organizations on organizations.id = waiting.organization_id and plan in (${paidPlans})
    and organizations.id not in ${restingOrganizations}
  cross join unnest(array[${Object.values(queues).join(', ')}]) lane
  cross join lateral (
    select next_attempt_at from webhook_deliveries
    where organization_id = waiting.organization_id and webhook_id = waiting.webhook_id
      and status = 'PENDING' and queue = lane and next_attempt_at <= now()
    order by next_attempt_at limit 1
  ) delivery
  where lane = ${queues.test} or webhook.enabled and coalesce(${firstIsDue('0')}, true)`);

/** For how many seconds the oldest delivery that may be sent has been due, of all organizations. 0 if none is due. */
export async function deliverySeconds(em: Em): Promise<number> {
  return (await lag(em))[0]?.seconds ?? 0;
}

/** Webhooks that were leased, in the order of their ids. */
export interface LeasedWebhooks {
  readonly leases: readonly Lease[];
  /** After which webhook more may be found; null if all were looked at. */
  readonly next: Webhook | null;
}

/**
 * Leases webhooks of all organizations with deliveries that are due by the database's clock, in the order of their ids.
 * Only test deliveries of a disabled webhook are due, and none of an organization whose plan does not include webhooks.
 * `firstDelay` is the delay in seconds before the first attempt of a delivery.
 */
export async function leaseWebhooks(em: Em, firstDelay: number, bounds: LeaseBounds): Promise<LeasedWebhooks> {
  const { most, after, held, leaseSeconds, skipped } = bounds;
  const { organizationId = first, webhookId = first } = after ?? {};
  const found = await findFree(em, organizationId, webhookId, most, firstDelay, held, [...skipped]);
  if (found.length === 0) return { leases: [], next: null };
  const leases = await lease(em, JSON.stringify(found.map(withToken)), held, leaseSeconds);
  // An update returns its rows in no particular order.
  const inOrder = leases.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { leases: inOrder, next: found.length < most ? null : (found.at(-1) ?? null) };
}

/** Asks for a webhook of a worker that holds at least two more than `held`, the number that the asking worker holds. */
export async function wantWebhook(em: Em, firstDelay: number, held: number): Promise<void> {
  const found = await findHeld(em, first, first, 1_000, firstDelay);
  const chosen = found[Math.floor(Math.random() * found.length)];
  if (chosen) await want(em, chosen.organizationId, chosen.webhookId, held);
}

function withToken({ organizationId, webhookId }: Webhook): Lease {
  return { organizationId, webhookId, leaseToken: randomUUID() };
}

function keyOf({ organizationId, webhookId }: Lease): string {
  return organizationId + webhookId;
}
