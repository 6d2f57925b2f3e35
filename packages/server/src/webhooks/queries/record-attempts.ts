import { bySystem, recordChange } from '../../audit-log/record-change.ts';
import type { Database, Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { inTransaction } from '../../database/transaction.ts';
import { webhookTarget } from '../audited.ts';
import { queues, type Attempt, type WebhookDelivery } from '../entities/webhook-delivery.ts';

/** The result of a claimed delivery. */
export interface AttemptResult {
  readonly organizationId: string;
  readonly webhookId: string;
  readonly id: string;
  readonly leaseToken: string;
  /** Null if no attempt was made. The delivery then returns to the queue. */
  readonly attempt: Attempt | null;
  readonly status: WebhookDelivery['status'];
  /** Seconds until the next attempt; null if there is none. */
  readonly delay: number | null;
  /** Whether the receiver responded 410 Gone. */
  readonly gone: boolean;
}

/** A webhook that was disabled because of its results, and the reason. */
export interface DisabledWebhook {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly reason: string;
}

const record = statement<DisabledWebhook & { switchedOff: boolean }>(`
  with result as (
    select * from json_to_recordset($1)
      as result("organizationId" uuid, "webhookId" uuid, id uuid, "leaseToken" uuid, attempt jsonb, status text, delay float8,
        gone boolean)
  ), written as (
    update webhook_deliveries delivery
    set status = result.status, attempts = delivery.attempts || coalesce(result.attempt, '[]'),
      tries = tries + case when result.attempt is null then 0 else 1 end,
      queue = case when queue = ${queues.fresh} and result.attempt is not null then ${queues.backlog} else queue end,
      next_attempt_at = now() + make_interval(secs => result.delay), lease_token = null
    from result
    where delivery.organization_id = result."organizationId" and delivery.webhook_id = result."webhookId"
      and delivery.id = result.id and delivery.lease_token = result."leaseToken"
    returning delivery.organization_id, delivery.webhook_id, result.attempt, result.status = 'SUCCEEDED' as succeeded,
      result.gone
  ), verdict as (
    select webhook.organization_id, webhook.id, bool_or(succeeded) as succeeded, case
      when bool_or(gone)
        then 'The receiver responded 410 Gone. Correct the URL, then enable the webhook again.'
      when not bool_or(succeeded) and webhook.failing_since <= now() - interval '5 days'
        then 'Every attempt failed for five days. Fix the receiver, then enable the webhook again.'
      end as reason
    from written
    join webhooks webhook on webhook.organization_id = written.organization_id and webhook.id = written.webhook_id
    where attempt is not null group by webhook.organization_id, webhook.id
  )
  update webhooks webhook
  set failing_since = case when not succeeded then coalesce(failing_since, now()) end,
    enabled = enabled and reason is null,
    disabled_reason = case when enabled then reason else disabled_reason end,
    disabled_at = case when enabled and reason is not null then now() else disabled_at end,
    updated_at = case when enabled and reason is not null then now() else updated_at end
  from verdict
  where webhook.organization_id = verdict.organization_id and webhook.id = verdict.id
    and (succeeded = (failing_since is not null) or enabled and reason is not null)
  returning webhook.id, webhook.organization_id as "organizationId", webhook.name, reason,
    coalesce(disabled_at = now(), false) as "switchedOff"`);

/**
 * Records the results of attempts, except for deliveries that another worker has claimed since. Disables webhooks that
 * responded 410, or whose attempts have all failed for five days, and adds a line for each to the audit log of its
 * organization. One statement for deliveries of any organizations, if no webhook is disabled. Returns the disabled
 * webhooks.
 */
export async function recordAttempts(
  database: Database,
  results: readonly AttemptResult[],
): Promise<readonly DisabledWebhook[]> {
  // Only failures disable a webhook, so successes need no transaction around their statement.
  const succeeded = results.every(({ status }) => status === 'SUCCEEDED');
  return succeeded ? write(database.em.fork(), results) : inTransaction(database, (em) => write(em, results));
}

async function write(em: Em, results: readonly AttemptResult[]): Promise<readonly DisabledWebhook[]> {
  const rows = await record(em, JSON.stringify(results));
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
