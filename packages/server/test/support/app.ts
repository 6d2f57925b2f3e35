import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry, type PrometheusContentType } from '@prometheus-io/client';
import { multistream } from 'pino';
import type { TestFn } from 'ava';
import { openUploadFolder } from '../../src/adapters/upload-folder.ts';
import { moveDeadlines } from '../../src/runs/move-deadlines.ts';
import { openDatabase, type Database } from '../../src/database/database.ts';
import { createApp } from '../../src/http/app.ts';
import { createKeyLookup } from '../../src/http/authenticate.ts';
import { listen } from '../../src/http/listen.ts';
import { createRateLimiter, inMemory } from '../../src/limits/rate-limit.ts';
import { createSignInThrottle } from '../../src/limits/sign-in-throttle.ts';
import { createDispatcher, type Dispatcher } from '../../src/webhooks/delivery/dispatcher.ts';
import { countPendingDeliveries } from '../../src/webhooks/delivery/count-pending-deliveries.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createOutboundHttp, type OutboundHttp } from '../../src/adapters/outbound-http.ts';
import { prometheusMetrics } from '../../src/telemetry/prometheus.ts';
import { createDatabase } from './database.ts';
import { secrets } from './secrets.ts';

/** The service of one test file: its own database, an HTTP port, webhook delivery, but no jobs by the clock. */
export interface TestApp {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly dispatcher: Dispatcher;
  readonly outbound: OutboundHttp;
}

/** What a test file may set. */
export interface TestAppOptions {
  readonly writesPerMinute?: number;
  readonly readsPerMinute?: number;
  readonly retrySchedule?: readonly number[];
}

/**
 * Starts the service before the file's tests and stops it after them, when no secret they handled may stand in its log, in the body
 * of an error, or in the database. Use the answer inside tests only.
 */
export function useApp(test: TestFn, options: TestAppOptions = {}): TestApp {
  const app: Partial<TestApp> = {};
  const stack = new AsyncDisposableStack();
  test.before(async () => {
    Object.assign(app, await start(stack, options));
  });
  test.after('no secret turned up where it must not', async () => {
    const leaks = await secrets.leaks((app as TestApp).databaseUrl);
    if (leaks.length > 0) throw new Error(`Secrets turned up in:\n${leaks.slice(0, 10).join('\n')}`);
  });
  test.after.always(() => stack.disposeAsync());
  return app as TestApp;
}

async function start(stack: AsyncDisposableStack, options: TestAppOptions): Promise<TestApp> {
  const log = createLog(
    'trace',
    multistream([
      { level: 'trace', stream: { write: (line: string) => secrets.keep('log', line) } },
      { level: process.env['LOG_LEVEL'] ?? 'error', stream: process.stdout },
    ]),
  );
  const { url: databaseUrl, drop } = await createDatabase();
  stack.defer(drop);
  const database = await openDatabase(databaseUrl);
  stack.defer(() => database.close());
  const outbound = createOutboundHttp({ allowLocal: true });
  stack.defer(() => outbound.close());
  const retrySchedule = options.retrySchedule ?? [0, 5, 300];
  const registry = new Registry<PrometheusContentType>();
  const metrics = prometheusMetrics(registry, () => inTransaction(database, countPendingDeliveries));
  const dispatcher = createDispatcher({ database, outbound, retrySchedule, log, metrics });
  stack.defer(() => dispatcher.stop());
  const folder = await mkdtemp(join(tmpdir(), 'runward-uploads-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const uploads = await openUploadFolder(folder);
  const app = createApp({
    database,
    findKey: createKeyLookup(database),
    ports: { outbound, signInThrottle: createSignInThrottle(inMemory), moveDeadlines },
    uploads,
    log,
    metrics,
    registry,
    baseUrl: 'http://127.0.0.1',
    wake: () => dispatcher.notify(),
    trustProxy: true,
    isSecure: false,
    inBackground: (work) => void work.catch((error: unknown) => log.error(error)),
    rateLimiter: createRateLimiter(
      { readsPerMinute: options.readsPerMinute ?? 100_000, writesPerMinute: options.writesPerMinute ?? 100_000 },
      inMemory,
    ),
    checkResponses: true,
    // Longer than in the service: a busy machine is no outage.
    timeBudgetMs: 30_000,
    whyNotReady: async () => null,
  });
  const http = await listen(app, '127.0.0.1', 0);
  stack.defer(() => http.close(1_000));
  return { baseUrl: `http://127.0.0.1:${http.port}`, databaseUrl, database, dispatcher, outbound };
}
