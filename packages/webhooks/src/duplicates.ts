/**
 * Remembers which deliveries were handled. Deliveries come at least once, so a receiver needs one. Several processes
 * need a shared one: with a database, `claim` is an insert that ignores conflicts, `release` a delete.
 */
export interface DuplicateStore {
  /** Claims a delivery, atomically: true the first time, false when it is claimed already. */
  claim(deliveryId: string): Promise<boolean>;
  /** Gives a claim up because the handler failed, so that the next attempt is handled. */
  release(deliveryId: string): Promise<void>;
}

/** Limits of the store in memory. */
export interface MemoryDuplicateStoreOptions {
  /** How many deliveries are remembered; beyond, the oldest is forgotten. Default 10,000. */
  max?: number | undefined;
  /** How long a delivery is remembered, in seconds. Default five days, far longer than the service retries. */
  ttlSeconds?: number | undefined;
  /** The clock, in epoch milliseconds. For tests. */
  now?: (() => number) | undefined;
}

/**
 * A store for one process, forgotten when it ends.
 *
 * @throws RangeError when a limit is no positive number
 */
export function memoryDuplicateStore(options: MemoryDuplicateStoreOptions = {}): DuplicateStore {
  const { max = 10_000, ttlSeconds = 5 * 24 * 60 * 60, now = Date.now } = options;
  if (!(max >= 1)) throw new RangeError('`max` must be 1 or more; leave it out for 10,000.');
  if (!(ttlSeconds > 0)) throw new RangeError('`ttlSeconds` must be more than 0; leave it out for five days.');
  // Kept in the order of claiming, which is also the order of expiry.
  const claimedAt = new Map<string, number>();

  return {
    async claim(deliveryId) {
      for (const [id, at] of claimedAt) {
        if (now() - at < ttlSeconds * 1000) break;
        claimedAt.delete(id);
      }
      if (claimedAt.has(deliveryId)) return false;

      claimedAt.set(deliveryId, now());
      const [oldest] = claimedAt.keys();
      if (claimedAt.size > max && oldest !== undefined) claimedAt.delete(oldest);
      return true;
    },
    async release(deliveryId) {
      claimedAt.delete(deliveryId);
    },
  };
}
