import { bySystem, recordChange } from '../../audit-log/record-change.ts';
import type { Database, Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { inTransaction } from '../../database/transaction.ts';
import { webhookTarget } from '../audited.ts';
import { queues, type Attempt, type WebhookDelivery } from '../entities/webhook-delivery.ts';
import type { Lease } from './lease-webhooks.ts';

/** The result of an attempt under a lease. */
export interface AttemptResult extends Lease {
  readonly id: string;
  /** Where the attempt was sent. If this is no longer the URL of the webhook, a failure says nothing about it. */
  readonly url: string;
  /** Since when the delivery was due. If this has changed, somebody has sent the delivery again. */
  readonly dueAt: string;
  readonly attempt: Attempt;
  readonly status: WebhookDelivery['status'];
  /** Seconds until the next attempt; null if there is none. */
  readonly delay: number | null;
  /** Whether the receiver responded 410 Gone. */
  readonly gone: boolean;
}

/** A lease that ends. */
export interface EndedLease extends Lease {
  /** Whether it ends because another worker wants the webhook. */
  readonly isWanted: boolean;
}

/** A webhook that was disabled because of its results, and the reason. */
export interface DisabledWebhook {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly reason: string;
}

// "held" is locked, so that no other worker takes a lease over before its results are written. The deliveries are read
// after that in another statement, which sees them. What failed with a 410 is sent to the new URL if that was corrected
// meanwhile.
const record = statement<DisabledWebhook & { switchedOff: boolean }>(`
  with clock as materialized (
    select now() as now
  ), given as materialized (
    select * from json_to_recordset($1) as given("organizationId" uuid, "webhookId" uuid, "leaseToken" uuid, id uuid,
      url text, "dueAt" timestamptz, attempt jsonb, status text, delay float8, gone boolean)
  ), ended as (
    select * from json_to_recordset($2) as ended("organizationId" uuid, "webhookId" uuid, "leaseToken" uuid, "isWanted" boolean)
  ), held as (
    select organization_id, id, lease_token, url, failing_since from webhooks
    where (organization_id, id, lease_token) in (
      select "organizationId", "webhookId", "leaseToken" from given
      union all select "organizationId", "webhookId", "leaseToken" from ended)
    for no key update
  ), result as (
    select given.*, given.url = held.url as is_current, gone and given.url <> held.url as is_moved
    from given join held on held.lease_token = given."leaseToken"
  ), written as (
    update webhook_deliveries delivery
    set status = case when is_moved then 'PENDING' else result.status end,
      attempts = delivery.attempts || result.attempt, tries = tries + 1,
      queue = case when queue = ${queues.fresh} then ${queues.backlog} else queue end,
      next_attempt_at = now + make_interval(secs => case when is_moved then 0 else delay end)
    from clock cross join result
    where delivery.organization_id = result."organizationId" and delivery.webhook_id = result."webhookId"
      and delivery.id = result.id and delivery.next_attempt_at = result."dueAt"
    returning delivery.organization_id, delivery.webhook_id, is_current, result.status = 'SUCCEEDED' as succeeded, gone
  ), verdict as (
    select held.organization_id, held.id, bool_or(succeeded) as succeeded, case
      when bool_or(gone)
        then 'The receiver responded 410 Gone. Correct the URL, then enable the webhook again.'
      when not bool_or(succeeded) and failing_since <= now() - interval '5 days'
        then 'Every attempt failed for five days. Fix the receiver, then enable the webhook again.'
      end as reason
    from written join held on held.organization_id = written.organization_id and held.id = written.webhook_id
    where is_current
    group by held.organization_id, held.id, failing_since
  )
  update webhooks webhook
  set failing_since = case
      when succeeded then null
      when not succeeded then coalesce(webhook.failing_since, clock.now)
      else webhook.failing_since end,
    enabled = enabled and reason is null,
    disabled_reason = case when enabled and reason is not null then reason else disabled_reason end,
    disabled_at = case when enabled and reason is not null then clock.now else disabled_at end,
    updated_at = case when enabled and reason is not null then clock.now else updated_at end,
    leased_until = case when "isWanted" is null then leased_until else clock.now end,
    wanted = case when not "isWanted" then null else wanted end
  from clock cross join held
  left join verdict on verdict.organization_id = held.organization_id and verdict.id = held.id
  left join ended on ended."leaseToken" = held.lease_token
  where webhook.organization_id = held.organization_id and webhook.id = held.id
    and (succeeded = (webhook.failing_since is not null) or enabled and reason is not null or "isWanted" is not null)
  returning webhook.id, webhook.organization_id as "organizationId", webhook.name, reason,
    coalesce(disabled_at = clock.now, false) as "switchedOff"`);

/**
 * Records the results of attempts, except of deliveries whose lease was lost or that were sent again meanwhile, and
 * ends leases. Disables webhooks whose URL responded 410, or whose attempts have all failed for five days, and adds a
 * line for each to the audit log of its organization. One statement for webhooks of any organizations, if none is
 * disabled. Returns the disabled webhooks.
 */
export async function recordAttempts(
  database: Database,
  results: readonly AttemptResult[],
  ended: readonly EndedLease[],
): Promise<readonly DisabledWebhook[]> {
  const write = (em: Em) => writeAttempts(em, results, ended);
  // Only failures disable a webhook, so successes need no transaction around their statement.
  const succeeded = results.every(({ status }) => status === 'SUCCEEDED');
  return succeeded ? write(database.em.fork()) : inTransaction(database, write);
}

async function writeAttempts(
  em: Em,
  results: readonly AttemptResult[],
  ended: readonly EndedLease[],
): Promise<readonly DisabledWebhook[]> {
  const rows = await record(em, JSON.stringify(results), JSON.stringify(ended));
  // In a fixed order, so that two processes cannot block each other at the ends of two audit logs.
  const disabled = rows
    .filter(({ switchedOff }) => switchedOff)
    .toSorted((one, other) => one.organizationId.localeCompare(other.organizationId));
  for (const { organizationId, reason, ...webhook } of disabled) {
    await recordChange(bySystem(em, organizationId), {
      action: 'webhook.disabled',
      target: webhookTarget(webhook),
      before: { enabled: true },
      after: { enabled: false, disabledReason: reason },
    });
  }
  return disabled;
}
