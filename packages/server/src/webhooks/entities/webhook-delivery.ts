import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { deliveryStatuses, type EventName } from '@runward/contract';

/** One attempt to deliver an event to a webhook. */
export interface Attempt {
  readonly at: string;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly responseBody: string | null;
}

/** The queue of a webhook that a delivery waits in. */
export const queues = { fresh: 0, backlog: 1, test: 2 } as const;

/**
 * The delivery of an event to one webhook: the outbox. `id` is the id of the event, `recordId` that of the delivery.
 * First attempts go before the backlog, which contains deliveries that failed or are sent again, and is sent at a
 * limited rate. A test is sent even if the webhook is disabled. A delivery is due from `nextAttemptAt`, also during an
 * attempt: only a worker that holds the webhook attempts it. `tries` counts the attempts since the retry schedule last
 * began. `position` is the place of the event in the feed. The deliveries of an ordered webhook have it; those of
 * others need not.
 *
 * There is no foreign key to the event: both tables are purged by age, deliveries first, and a check would cost an
 * index on every write. There is also none to the webhook, which may have millions of deliveries: a job deletes them
 * after the webhook, and until then nothing sends or shows them.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    organizationId: p.uuid().primary(),
    webhookId: p.uuid().primary(),
    id: p.uuid().primary(),
    recordId: p.uuid(),
    event: p.text().$type<EventName>(),
    status: p.enum(deliveryStatuses),
    queue: p.smallint().$type<(typeof queues)[keyof typeof queues]>().default(queues.fresh).check('queue in (0, 1, 2)'),
    attempts: p.json<Attempt[]>().defaultRaw(`'[]'`),
    tries: p.integer().default(0),
    nextAttemptAt: p.datetime().nullable(),
    position: p.bigint('number').nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'webhook_deliveries_record_key', properties: ['organizationId', 'recordId'] }],
  indexes: [
    {
      name: 'webhook_deliveries_due_index',
      properties: ['organizationId', 'webhookId', 'queue', 'nextAttemptAt'],
      where: "status = 'PENDING'",
    },
    {
      name: 'webhook_deliveries_order_index',
      properties: ['organizationId', 'webhookId', 'position'],
      where: "status = 'PENDING' and position is not null",
    },
    {
      name: 'webhook_deliveries_failed_index',
      properties: ['organizationId', 'createdAt'],
      where: "status = 'FAILED'",
    },
  ],
});

/** A row of `webhook_deliveries`. */
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;
