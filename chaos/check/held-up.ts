import type { DeliveryRow } from '../evidence.ts';

/** As many deliveries of a webhook are under way at a time. */
const mostUnderWay = 5;

/**
 * Tells which deliveries may wait until a lease runs out: those a lost worker holds, and all others of a webhook of which it holds as many
 * as may be under way.
 */
export function heldUp<Delivery extends Pick<DeliveryRow, 'webhookId' | 'isLeased'>>(
  deliveries: readonly Delivery[],
): (delivery: Delivery) => boolean {
  const held = Map.groupBy(
    deliveries.filter(({ isLeased }) => isLeased),
    ({ webhookId }) => webhookId,
  );
  return ({ webhookId, isLeased }) => isLeased || (held.get(webhookId)?.length ?? 0) >= mostUnderWay;
}
