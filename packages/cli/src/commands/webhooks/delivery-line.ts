import type { Client, Delivery } from '@runward/sdk';

/** A delivery, with additional fields for the table. */
export interface DeliveryLine extends Delivery {
  /** Null if the webhook was deleted. */
  readonly webhookName: string | null;
  readonly attemptCount: number;
  /** Status or error of the last attempt; null before the first. */
  readonly lastResult: number | string | null;
}

/** Turns deliveries into lines. */
export async function deliveryLines(client: Client): Promise<(delivery: Delivery) => DeliveryLine> {
  const webhooks = await Array.fromAsync(client.webhooks.list());
  const names = new Map(webhooks.map(({ id, name }) => [id, name]));
  return (delivery) => {
    const last = delivery.attempts.at(-1);
    return {
      ...delivery,
      webhookName: names.get(delivery.webhookId) ?? null,
      attemptCount: delivery.attempts.length,
      lastResult: last ? (last.error ?? last.statusCode) : null,
    };
  };
}
