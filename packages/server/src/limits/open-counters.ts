import { Pool } from 'pg';
import type { Logger } from 'pino';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { inMemory, type CounterStore } from './rate-limit.ts';
import { sharedCounters } from './shared-counter.ts';

/** Long enough that a busy database is not mistaken for an outage, during which each process counts alone. */
const timeoutMs = 5_000;

/** How many connections to PostgreSQL the counters of a process use at most. */
export const counterConnections = 4;

/** The store of the counters. */
export interface CounterSettings {
  readonly rateLimitStore: 'memory' | 'postgres' | 'redis';
  readonly redisUrl?: string | undefined;
}

/** Opens the configured store. Disposing `started` closes it. */
export async function openCounters(
  { rateLimitStore, redisUrl = '' }: CounterSettings,
  databaseUrl: string,
  started: AsyncDisposableStack,
  log: Logger,
): Promise<CounterStore> {
  if (rateLimitStore === 'redis') {
    // Most processes have no Redis, so its client is loaded only here.
    const { openRedisCounters } = await import('./redis-counters.ts');
    return openRedisCounters(redisUrl, started, log);
  }
  return rateLimitStore === 'postgres' ? openPostgresCounters(databaseUrl, started, log) : inMemory;
}

/** Counters in the table `rate_limits`, which are exact across any number of processes. */
function openPostgresCounters(databaseUrl: string, started: AsyncDisposableStack, log: Logger): CounterStore {
  const pool = openPool(databaseUrl, started, log);
  return sharedCounters(
    { name: 'PostgreSQL', timeoutMs, log },
    (options) =>
      new RateLimiterPostgres({
        ...options,
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
      }),
  );
}

/** Counters use separate connections, so they do not wait behind the transactions they protect. */
function openPool(connectionString: string, started: AsyncDisposableStack, log: Logger): Pool {
  const pool = new Pool({
    connectionString,
    max: counterConnections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  });
  const report = (error: Error) => log.warn({ err: error }, 'rate limit store connection lost; reconnecting');
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  started.defer(() => pool.end());
  return pool;
}
