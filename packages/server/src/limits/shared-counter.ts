import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from 'pino';
import { inMemory, windowSeconds, type Counter, type CounterStore } from './rate-limit.ts';

/** What a counter in a store outside the process is made with. */
export interface SharedCounterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
  /** From here on the process answers for a key itself, as long as the window lasts: it can only be refused. */
  readonly inMemoryBlockOnConsumed: number;
}

/**
 * Counters that several processes share. While the store does not answer each process counts alone, so that no request fails; the log
 * says when that begins and ends. `name` is the store's, for the log.
 */
export function sharedCounters(
  name: string,
  log: Logger,
  open: (options: SharedCounterOptions) => Counter,
): CounterStore {
  const outage = watchOutage(name, log);
  return (keyPrefix, points) => {
    const shared = open({ keyPrefix, points, duration: windowSeconds, inMemoryBlockOnConsumed: points + 1 });
    const alone = inMemory(keyPrefix, points);
    const ask = async <Result>(question: (counter: Counter) => Promise<Result>): Promise<Result> => {
      const wasAway = outage.lasts();
      try {
        const result = await question(shared);
        // Only what was asked since it began can tell that it is over.
        if (wasAway) outage.end();
        return result;
      } catch (problem) {
        if (problem instanceof RateLimiterRes) throw problem;
        outage.begin(problem);
        return question(alone);
      }
    };
    return {
      points,
      consume: (key) => ask((counter) => counter.consume(key)),
      get: (key) => ask((counter) => counter.get(key)),
    };
  };
}

function watchOutage(name: string, log: Logger) {
  let away = false;
  return {
    lasts: () => away,
    begin: (problem: unknown) => {
      if (away) return;
      away = true;
      log.warn({ err: problem }, `${name} unreachable; this process counts requests on its own until it responds`);
    },
    end: () => {
      if (!away) return;
      away = false;
      log.info(`${name} reachable again; requests are counted across all processes`);
    },
  };
}
