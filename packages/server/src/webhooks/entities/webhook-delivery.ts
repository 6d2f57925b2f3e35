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

/** Which queue of its webhook a delivery waits in. */
export const lanes = { fresh: 0, backlog: 1, test: 2 } as const;

/**
 * An event on its way to one webhook: the outbox. The first attempts of new events go ahead of the backlog, which holds what failed or is
 * sent once more and goes out at a pace; a test goes out even where the webhook is disabled. While an attempt is under way `leaseToken`
 * names it and `nextAttemptAt` is when another worker may take over. `tries` counts the attempts since the schedule last began.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    webhookId: p.uuid().primary(),
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    event: p.text().$type<EventName>(),
    status: p.text().$type<'PENDING' | 'SUCCEEDED' | 'FAILED'>(),
    lane: p.smallint().$type<(typeof lanes)[keyof typeof lanes]>(),
    attempts: p.json<Attempt[]>(),
    tries: p.integer(),
    nextAttemptAt: p.datetime().nullable(),
    leaseToken: p.uuid().nullable(),
    createdAt: p.datetime(),
  },
});

/** A row of `webhook_deliveries`. */
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;
