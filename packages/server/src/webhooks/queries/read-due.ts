import { selectList } from '../../database/columns.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { isResting } from '../../organization/moves/resting.ts';
import type { SigningSecrets } from '../delivery/sign.ts';
import { queues, WebhookDelivery } from '../entities/webhook-delivery.ts';
import { Webhook } from '../entities/webhook.ts';
import type { Lease } from './lease-webhooks.ts';

/** A leased webhook, as it is now. */
export interface LeasedWebhook extends Lease, SigningSecrets {
  readonly url: string;
  /** Whether its deliveries are sent one at a time, in the order of the feed. */
  readonly ordered: boolean;
  /** Another worker wants it if its own worker holds at least two webhooks more than this; null if none does. */
  readonly wanted: number | null;
}

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: string;
  readonly body: string;
  readonly queue: WebhookDelivery['queue'];
  /** Number of attempts since the retry schedule began. */
  readonly tries: number;
  /** Since when it is due, exactly. It changes with each attempt and when the delivery is sent again. */
  readonly dueAt: string;
}

/** What to read of a leased webhook. */
export interface DueBounds extends Lease {
  /** The maximum number of deliveries of each queue. */
  readonly most: number;
  /** Deliveries to leave out, because their results are not recorded yet. */
  readonly unrecorded: readonly string[];
}

/** Times in seconds. */
export interface DueSettings {
  readonly leaseSeconds: number;
  /** The delay before the first attempt of a delivery. */
  readonly firstDelay: number;
}

/** A webhook, and its due deliveries. */
export interface ReadWebhook {
  readonly webhook: LeasedWebhook;
  readonly deliveries: readonly DueDelivery[];
}

/** Due deliveries in one queue of a webhook, the longest due first. */
const due = (queue: number, condition: string) => `
  (select id, queue, tries, next_attempt_at from webhook_deliveries
    where organization_id = webhook.organization_id and webhook_id = webhook.id
      and status = 'PENDING' and queue = ${queue} and next_attempt_at <= now() and ${condition} and id <> all(lease.unrecorded)
    order by next_attempt_at limit lease.most)`;

/**
 * The first pending delivery of an ordered webhook, if it is due. Nothing if the result of an earlier one is not
 * recorded yet.
 */
const dueInOrder = `
  (select id, queue, tries, next_attempt_at from (
      select id, queue, tries, next_attempt_at, created_at from webhook_deliveries
      where webhook.ordered and webhook.enabled and cardinality(lease.unrecorded) = 0
        and organization_id = webhook.organization_id and webhook_id = webhook.id
        and status = 'PENDING' and position is not null
      order by position limit 1) first
    where next_attempt_at <= now() and (queue <> ${queues.fresh} or created_at <= now() - make_interval(secs => $3)))`;

// Leases are extended when two seconds of them have passed, so that few of these statements write.
const read = statement<LeasedWebhook & (DueDelivery | { readonly id: null })>(`
  with lease as (
    select * from json_to_recordset($1)
      as lease("organizationId" uuid, "webhookId" uuid, "leaseToken" uuid, most int, unrecorded uuid[])
  ), renewed as (
    update webhooks webhook set leased_until = now() + make_interval(secs => $2::float8) from lease
    where webhook.organization_id = lease."organizationId" and webhook.id = lease."webhookId"
      and lease_token = lease."leaseToken" and leased_until < now() + make_interval(secs => $2::float8 - 2)
  )
  select lease."organizationId", lease."webhookId", lease."leaseToken", ${selectList(Webhook, 'webhook', ['url', 'ordered', 'wanted'])},
    signer.secret, case when signer.previous_expires_at > now() then signer.previous end as "previousSecret",
    ${selectList(WebhookDelivery, 'delivery', ['id', 'queue', 'tries'])}, delivery.next_attempt_at::text as "dueAt", delivery.body
  from lease
  join webhooks webhook on webhook.organization_id = lease."organizationId" and webhook.id = lease."webhookId"
    and webhook.lease_token = lease."leaseToken"
  join organizations organization on organization.id = webhook.organization_id and not ${isResting('organization.id')}
  cross join lateral (
    select webhook.signing_secret, webhook.previous_signing_secret, webhook.previous_signing_secret_expires_at
      where webhook.signing_secret is not null
    union all
    select organization.signing_secret, organization.previous_signing_secret, organization.previous_signing_secret_expires_at
      where webhook.signing_secret is null
  ) signer (secret, previous, previous_expires_at)
  left join lateral (
    select delivery.*, event.body from (
      ${due(queues.fresh, 'webhook.enabled and not webhook.ordered and created_at <= now() - make_interval(secs => $3)')}
      union all ${due(queues.backlog, 'webhook.enabled and not webhook.ordered')}
      union all ${dueInOrder}
      union all ${due(queues.test, 'true')}
    ) delivery
    join events event on event.organization_id = webhook.organization_id and event.id = delivery.id
  ) delivery on true`);

/**
 * Extends leases and reads the webhooks and their due deliveries: of an ordered webhook the first one only, and tests.
 * A webhook is not returned if its lease was lost, or if its organization is being moved.
 */
export async function readDue(
  em: Em,
  { leaseSeconds, firstDelay }: DueSettings,
  bounds: readonly DueBounds[],
): Promise<ReadWebhook[]> {
  const rows = await read(em, JSON.stringify(bounds), leaseSeconds, firstDelay);
  return [...Map.groupBy(rows, ({ leaseToken }) => leaseToken).values()].flatMap((found) =>
    found[0] === undefined ? [] : [{ webhook: found[0], deliveries: found.filter(isDelivery) }],
  );
}

function isDelivery<Row extends { readonly id: string | null }>(row: Row): row is Row & DueDelivery {
  return row.id !== null;
}
