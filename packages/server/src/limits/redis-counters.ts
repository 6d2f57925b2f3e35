import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { CounterStore } from './rate-limit.ts';
import { sharedCounters } from './shared-counter.ts';

const longestWaitMs = 2_000;
const longestPauseMs = 1_000;

/**
 * Counters in Redis under `runward:*`, exact over any number of processes. A Redis that is away is looked for every second; meanwhile
 * no request waits for it, and one that was under way when it went waits 2 s at most.
 */
export async function openRedisCounters(
  url: string,
  started: AsyncDisposableStack,
  log: Logger,
): Promise<CounterStore> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: longestWaitMs,
    commandTimeout: longestWaitMs,
    // A connection on which nothing comes back is given up, or every request would wait for it.
    socketTimeout: longestWaitMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, longestPauseMs),
    // A request is counted now or by this process alone: later it would count twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  // The counters tell of an outage once; here it would be told at every attempt to connect.
  redis.on('error', (error: Error) => log.debug({ err: error }, 'no connection to Redis'));
  started.defer(() => redis.disconnect());
  // The service starts without Redis too; it goes on looking for it.
  await Promise.race([redis.connect().catch(() => {}), pause(longestWaitMs, undefined, { ref: false })]);
  return sharedCounters(
    'Redis',
    log,
    ({ keyPrefix, ...options }) =>
      new RateLimiterRedis({
        ...options,
        keyPrefix: `runward:${keyPrefix}`,
        storeClient: redis,
        rejectIfRedisNotReady: true,
      }),
  );
}
