import type { EventName } from '@runward/contract';
import { expressionBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { queues } from '../entities/webhook-delivery.ts';
import { deliveriesInScope, type Deliveries } from './deliveries-in-scope.ts';

/** The failed deliveries of a webhook, without tests, that were created in a period and are in the caller's scope. */
export interface FailedDeliveries {
  readonly actor: Actor;
  readonly webhookId: string;
  readonly from: Date;
  readonly to: Date;
  readonly events?: readonly EventName[] | undefined;
}

/** The number of failed deliveries. */
export async function countFailed(em: Em, failed: FailedDeliveries): Promise<number> {
  const { count } = await em
    .getKysely()
    .selectFrom('webhook_deliveries as delivery')
    .where(isFailed(failed))
    .select(countAs('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Adds failed deliveries to the backlog of their webhook. Returns their number. */
export async function replayFailed(em: Em, failed: FailedDeliveries, now: Date): Promise<number> {
  const { numUpdatedRows } = await em
    .getKysely()
    .updateTable('webhook_deliveries as delivery')
    .set({ status: 'PENDING', queue: queues.backlog, tries: 0, next_attempt_at: now.toISOString() })
    .where(isFailed(failed))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function isFailed({ actor, webhookId, from, to, events }: FailedDeliveries) {
  const eb = expressionBuilder<Deliveries, 'delivery'>();
  return eb.and([
    eb('delivery.organization_id', '=', actor.organizationId),
    eb('delivery.webhook_id', '=', webhookId),
    eb('delivery.status', '=', 'FAILED'),
    eb('delivery.queue', '<>', queues.test),
    eb('delivery.created_at', '>=', from.toISOString()),
    eb('delivery.created_at', '<', to.toISOString()),
    ...(events ? [eb('delivery.event', 'in', events)] : []),
    deliveriesInScope(actor),
  ]);
}
