import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { withDeadline } from '../deadline.ts';
import type { CounterStore } from './rate-limit.ts';
import { sharedCounters } from './shared-counter.ts';

const timeoutMs = 2_000;
const maximumReconnectMs = 1_000;

/**
 * Counters in Redis under `runward:*`, which are exact across any number of processes. While Redis is unreachable,
 * reconnects every second.
 */
export async function openRedisCounters(
  url: string,
  started: AsyncDisposableStack,
  log: Logger,
): Promise<CounterStore> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // Closes a silent connection, because every request would wait for it.
    socketTimeout: timeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, maximumReconnectMs),
    // A command that fails is counted in memory instead. Resending it later would count the request twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  // The counters log an outage once; this event fires at every attempt to connect.
  redis.on('error', (error: Error) => log.debug({ err: error }, 'no connection to Redis'));
  started.defer(() => redis.disconnect());
  // The service also starts without Redis and keeps reconnecting.
  await withDeadline(
    timeoutMs,
    redis.connect().catch(() => {}),
  );
  return sharedCounters(
    { name: 'Redis', timeoutMs, log },
    ({ keyPrefix, ...options }) =>
      new RateLimiterRedis({
        ...options,
        keyPrefix: `runward:${keyPrefix}`,
        storeClient: redis,
        rejectIfRedisNotReady: true,
      }),
  );
}
