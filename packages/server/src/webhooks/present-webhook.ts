import type { Contract, DeliveryPayload, Response } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import { hasCapability } from '../access/plan.ts';
import type { Webhook } from './entities/webhook.ts';
import type { DeliveryRow } from './queries/list-deliveries.ts';

/** A webhook, as it appears to a member of an organization with this plan. */
export function presentWebhook(row: Webhook, actor: Pick<Actor, 'plan'>): Response<Contract['webhooks']['get']> {
  const { id, name, url, enabledEvents, enabled, ordered, templateMode, templateIds } = row;
  return {
    id,
    name,
    url,
    enabledEvents,
    enabled,
    disabledReason: row.disabledReason ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    pausedReason: hasCapability(actor, 'publicApi') ? null : 'PLAN',
    ordered,
    templateMode,
    templateIds,
    ownSecret: row.signingSecret != null,
    description: row.description ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A delivery with its attempts and the body of its event. `nextAttemptAt` is null during an attempt. */
export function presentDelivery(
  row: Omit<DeliveryRow, 'body'>,
  body: string,
  isInProgress: boolean,
): Response<Contract['webhooks']['test']> {
  const { recordId: id, id: deliveryId, webhookId, event, status, attempts } = row;
  return {
    id,
    deliveryId,
    webhookId,
    event,
    status,
    payload: JSON.parse(body) as DeliveryPayload,
    attempts,
    nextAttemptAt: (!isInProgress && row.nextAttemptAt?.toISOString()) || null,
    createdAt: row.createdAt.toISOString(),
  };
}
