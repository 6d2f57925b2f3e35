import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from 'pino';
import { countTogether } from './count-together.ts';
import { countInMemory, windowSeconds, type Counter, type CounterStore } from './rate-limit.ts';

/** Options of a counter in a store outside the process. */
export interface SharedCounterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
  /** From this count on, the process rejects a key from memory until the window ends, without asking the store; 0: never. */
  readonly inMemoryBlockOnConsumed: number;
}

/** A counter in a store, which can count several requests at once. */
export interface SharedCounter extends Counter {
  consume(key: string, count?: number): Promise<RateLimiterRes>;
}

/**
 * Counters that several processes share. While the store is unreachable, each process counts in its own memory, so no request fails; the
 * beginning and the end of an outage are logged. `name` is the name of the store in the log.
 */
export function sharedCounters(
  name: string,
  log: Logger,
  open: (options: SharedCounterOptions) => SharedCounter,
): CounterStore {
  const outage = watchOutage(name, log);
  return (keyPrefix, points, kind = 'final') => {
    const inMemoryBlockOnConsumed = kind === 'final' ? points + 1 : 0;
    const shared = open({ keyPrefix, points, duration: windowSeconds, inMemoryBlockOnConsumed });
    const local = countInMemory(keyPrefix, points);
    const withFallback = async <Result>(call: (counter: SharedCounter) => Promise<Result>): Promise<Result> => {
      const duringOutage = outage.isOngoing();
      try {
        const result = await call(shared);
        // A success ends the outage only if the call was made after it began.
        if (duringOutage) outage.end();
        return result;
      } catch (error) {
        if (error instanceof RateLimiterRes) throw error;
        outage.begin(error);
        return call(local);
      }
    };
    return {
      points,
      consume: countTogether(points, async (key, count) => withFallback((counter) => counter.consume(key, count))),
      get: (key) => withFallback((counter) => counter.get(key)),
      reward: (key) => withFallback((counter) => counter.reward(key)),
    };
  };
}

function watchOutage(name: string, log: Logger) {
  let isOngoing = false;
  return {
    isOngoing: () => isOngoing,
    begin: (error: unknown) => {
      if (isOngoing) return;
      isOngoing = true;
      log.warn({ err: error }, `${name} unreachable; this process counts requests on its own until it responds`);
    },
    end: () => {
      if (!isOngoing) return;
      isOngoing = false;
      log.info(`${name} reachable again; requests are counted across all processes`);
    },
  };
}
