import type { DeliveryRow } from '../history.ts';

/** How many deliveries of a webhook are in flight at a time. */
const maxInFlight = 5;

/**
 * Returns a function that says whether a delivery is blocked until a lease expires: it is leased itself, or as many deliveries of its
 * webhook are leased as may be in flight.
 */
export function blockedByLease<Delivery extends Pick<DeliveryRow, 'webhookId' | 'isLeased'>>(
  deliveries: readonly Delivery[],
): (delivery: Delivery) => boolean {
  const leased = Map.groupBy(
    deliveries.filter(({ isLeased }) => isLeased),
    ({ webhookId }) => webhookId,
  );
  return ({ webhookId, isLeased }) => isLeased || (leased.get(webhookId)?.length ?? 0) >= maxInFlight;
}
