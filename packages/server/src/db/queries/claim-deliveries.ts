import { sql } from 'kysely';
import type { SigningSecrets } from '../../events/sign.ts';
import type { Em } from '../database.ts';

/** A delivery this worker alone may attempt, until its lease runs out. */
export interface ClaimedDelivery extends SigningSecrets {
  readonly id: string;
  readonly leaseToken: string;
  readonly url: string;
  readonly body: string;
  /** How many attempts were made before. */
  readonly attempts: number;
}

/** Bounds of a claim; times in seconds. */
export interface ClaimBounds {
  readonly most: number;
  readonly mostPerWebhook: number;
  readonly leaseSeconds: number;
  /** How long a delivery waits for its first attempt. */
  readonly firstDelay: number;
}

/**
 * Takes deliveries of all organizations that are due by the database's clock. Each webhook gets its first before any gets its
 * second, and none more than `mostPerWebhook` under way. Those of a disabled webhook wait, but for tests. One statement.
 */
export async function claimDeliveries(em: Em, bounds: ClaimBounds): Promise<ClaimedDelivery[]> {
  const { most, mostPerWebhook, leaseSeconds, firstDelay } = bounds;
  const due = sql`webhook_id = webhook.id and status = 'PENDING' and next_attempt_at <= now()
    and (attempts <> '[]' or created_at <= now() - make_interval(secs => ${firstDelay}))`;
  // "waiting" steps from webhook to webhook through the index, however many deliveries each has. "due" takes no locks, so that
  // what it leaves to others is free; "locked" looks again, since another worker may have come first.
  const { rows } = await sql<ClaimedDelivery>`
    with recursive waiting as (
      (select webhook_id from webhook_deliveries where status = 'PENDING' order by webhook_id limit 1)
      union all
      select (select webhook_id from webhook_deliveries
        where status = 'PENDING' and webhook_id > waiting.webhook_id order by webhook_id limit 1)
      from waiting where webhook_id is not null
    ), due as (
      select delivery.id
      from waiting join webhooks webhook on webhook.id = waiting.webhook_id
      cross join lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at) as turn from (
          (select id, next_attempt_at from webhook_deliveries where ${due} and webhook.enabled
            order by next_attempt_at limit ${mostPerWebhook})
          union all
          (select id, next_attempt_at from webhook_deliveries where ${due} and is_test and not webhook.enabled
            order by next_attempt_at limit ${mostPerWebhook})
        ) open
        order by next_attempt_at
        limit greatest(0, ${mostPerWebhook} - (select count(*) from webhook_deliveries
          where webhook_id = webhook.id and lease_token is not null and next_attempt_at > now()))
      ) delivery
      order by delivery.turn, delivery.next_attempt_at limit ${most}
    ), locked as (
      select id from webhook_deliveries
      where id in (select id from due) and status = 'PENDING' and next_attempt_at <= now()
      for update skip locked
    )
    update webhook_deliveries delivery
    set lease_token = gen_random_uuid(), next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    from locked, webhooks webhook, organizations organization
    where delivery.id = locked.id and webhook.id = delivery.webhook_id and organization.id = delivery.organization_id
    returning delivery.id, delivery.lease_token as "leaseToken", webhook.url, organization.signing_secret as secret,
      case when organization.previous_signing_secret_expires_at > now() then organization.previous_signing_secret end
        as "previousSecret", delivery.body, jsonb_array_length(delivery.attempts) as attempts
  `.execute(em.getKysely());
  return rows;
}
