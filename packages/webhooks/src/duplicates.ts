/**
 * Records which deliveries were handled, because a delivery can arrive more than once. Several processes need a shared
 * store. In a database, `claim` is an insert that ignores conflicts, and `release` is a delete.
 */
export interface DuplicateStore {
  /** Claims a delivery atomically. True the first time, false if it is claimed already. */
  claim(deliveryId: string): Promise<boolean>;
  /** Releases a claim after a handler failed, so that the next attempt is handled. */
  release(deliveryId: string): Promise<void>;
}

/** Limits of the in-memory store. */
export interface MemoryDuplicateStoreOptions {
  /** Maximum number of deliveries; the oldest is evicted first. Default 10,000. */
  max?: number | undefined;
  /** How long a delivery is stored, in seconds. Default: five days, which is longer than the service retries. */
  ttlSeconds?: number | undefined;
  /** Returns the current time in epoch milliseconds. For tests. */
  now?: (() => number) | undefined;
}

/**
 * An in-memory store, which processes cannot share.
 *
 * @throws RangeError if a limit is not a positive number
 */
export function memoryDuplicateStore(options: MemoryDuplicateStoreOptions = {}): DuplicateStore {
  const { max = 10_000, ttlSeconds = 5 * 24 * 60 * 60, now = Date.now } = options;
  if (!(max >= 1)) throw new RangeError('`max` must be 1 or more; omit it for 10,000.');
  if (!(ttlSeconds > 0)) throw new RangeError('`ttlSeconds` must be greater than 0; omit it for five days.');
  // In the order of claims, which is also the order of expiry.
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
