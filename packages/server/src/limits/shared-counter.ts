import type { Logger } from 'pino';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { withDeadline } from '../deadline.ts';
import { countLater, countTogether } from './count-together.ts';
import { countInMemory, windowSeconds, type Counter, type CounterStore } from './rate-limit.ts';

/** Options of a counter in a store outside the process. */
export interface SharedCounterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  /** In seconds. */
  readonly duration: number;
  /** From this count on, the process rejects a key until the window ends, without asking the store. 0 means never. */
  readonly inMemoryBlockOnConsumed: number;
}

/** A counter in a store, which can count several requests at once. */
export interface SharedCounter extends Counter {
  consume(key: string, count?: number): Promise<RateLimiterRes>;
}

/** A store of counters outside the process. */
export interface SharedStore {
  /** Its name in the log. */
  readonly name: string;
  /** How long a request waits for the store at most, in milliseconds. The store must also end each call by itself. */
  readonly timeoutMs: number;
  readonly log: Logger;
}

/**
 * Counters that several processes share. While the store is unreachable, each process counts in memory, so no request
 * fails. The beginning and the end of an outage are logged. A request waits for the store only once, and not at all
 * during an outage.
 */
export function sharedCounters(
  { name, timeoutMs, log }: SharedStore,
  open: (options: SharedCounterOptions) => SharedCounter,
): CounterStore {
  const outage = watchOutage(name, log);
  const late = () => {
    throw new Error(`No response within ${timeoutMs} ms.`);
  };
  return (keyPrefix, points, kind = 'final') => {
    const inMemoryBlockOnConsumed = kind === 'refundable' ? 0 : points + 1;
    const shared = open({ keyPrefix, points, duration: windowSeconds, inMemoryBlockOnConsumed });
    const local = countInMemory(keyPrefix, points);
    const count = kind === 'frequent' ? countLater : countTogether;
    const remote: Counter = {
      points,
      consume: count(points, async (key, requests) => shared.consume(key, requests)),
      get: (key) => shared.get(key),
      reward: (key) => shared.reward(key),
    };
    const ask = async <Result>(key: string, call: (counter: Counter) => Promise<Result>): Promise<Result> => {
      if (outage.isOngoing()) {
        outage.probe(() => shared.get(key));
        return call(local);
      }
      try {
        // This is the total time: a request may first wait for requests that the store is already counting.
        return await withDeadline(timeoutMs, call(remote), late);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw error;
        outage.begin(error);
        return call(local);
      }
    };
    return {
      points,
      consume: (key) => ask(key, (counter) => counter.consume(key)),
      get: (key) => ask(key, (counter) => counter.get(key)),
      reward: (key) => ask(key, (counter) => counter.reward(key)),
    };
  };
}

function watchOutage(name: string, log: Logger) {
  let isOngoing = false;
  let isProbing = false;
  return {
    isOngoing: () => isOngoing,
    begin: (error: unknown) => {
      if (isOngoing) return;
      isOngoing = true;
      log.warn({ err: error }, `${name} unreachable; this process counts requests on its own until it responds`);
    },
    /** Ends the outage if the store responds. No request waits for that. */
    probe: (call: () => Promise<unknown>) => {
      if (isProbing) return;
      isProbing = true;
      const end = () => {
        isOngoing = false;
        log.info(`${name} reachable again; requests are counted across all processes`);
      };
      void call()
        .then(end, () => {})
        .finally(() => {
          isProbing = false;
        });
    },
  };
}
