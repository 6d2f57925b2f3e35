import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EventName } from '@runward/contract';

/** One try to hand an event to a webhook. */
export interface Attempt {
  readonly at: string;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly responseBody: string | null;
}

/**
 * An event on its way to one webhook: the outbox. `body` holds the exact bytes every attempt sends. While an attempt is under way
 * `leaseToken` names it and `nextAttemptAt` is when another worker may take over. A test goes out even where the webhook is disabled.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    webhookId: p.uuid(),
    event: p.text().$type<EventName>(),
    status: p.text().$type<'PENDING' | 'SUCCEEDED' | 'FAILED'>(),
    body: p.text(),
    isTest: p.boolean(),
    attempts: p.json<Attempt[]>(),
    nextAttemptAt: p.datetime().nullable(),
    leaseToken: p.uuid().nullable(),
    createdAt: p.datetime(),
  },
});

/** A row of `webhook_deliveries`. */
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;
