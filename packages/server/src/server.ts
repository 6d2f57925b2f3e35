import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase, type Database } from './db/database.ts';
import { ensureDatabase, startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { createApp } from './http/app.ts';
import { createKeyLookup } from './http/authenticate.ts';
import { listen } from './http/listen.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { startJobs } from './jobs/agenda.ts';
import { detectOverdue } from './jobs/detect-overdue.ts';
import { createDispatcher } from './jobs/dispatcher.ts';
import { createOutboundHttp } from './outside/outbound-http.ts';
import { firstStart } from './setup/first-start.ts';

/** A running service. */
export interface RunningServer {
  /** Where it answers. */
  readonly baseUrl: string;
  /** Settles when the service can no longer work, with the reason. */
  readonly failed: Promise<Error>;
  /** Finishes what is under way and stops, within 5 s. */
  stop(): Promise<void>;
}

/** Starts the whole service: database, webhook delivery, jobs, API. */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  // What was started is stopped in the opposite order, also when starting fails half-way.
  const started = new AsyncDisposableStack();
  try {
    const { databaseUrl, failed } = await openPostgres(config, log, started);
    await migrate(databaseUrl);
    const database = await openDatabase(databaseUrl);
    started.defer(() => database.close());

    const outbound = createOutboundHttp({ allowLocal: config.webhookAllowLocal });
    started.defer(() => outbound.close());
    if (config.webhookAllowLocal) log.warn('WEBHOOK_ALLOW_LOCAL is true: webhooks may reach this machine');
    const dispatcher = createDispatcher({ database, outbound, retrySchedule: config.webhookRetrySchedule, log });
    started.defer(() => dispatcher.stop());

    // Not ready before everything runs, and no longer once it stops: a load balancer then sends nothing.
    let serving = false;
    const app = createApp({
      database,
      findKey: createKeyLookup(database),
      outbound,
      log,
      baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}`,
      wake: () => dispatcher.nudge(),
      rateLimiter: createRateLimiter(config),
      checkResponses: !config.production,
      isReady: async () => serving && (await answers(database)),
    });
    const http = await listen(app, config.host, config.port);
    started.defer(() => http.close(2_000));
    const baseUrl = config.baseUrl ?? `http://${config.host}:${http.port}`;

    const { dataDir, timeZone } = config;
    const credentials = await firstStart(database, { dataDir, timeZone, baseUrl });
    if (credentials) log.info(`created the organization "Demo"; its credentials are in ${credentials}`);

    const jobs = await startJobs({
      databaseUrl,
      log,
      tasks: [
        { name: 'webhooks.dispatch', everySeconds: 1, run: async () => dispatcher.nudge() },
        {
          name: 'runs.detect-overdue',
          everySeconds: 30,
          run: (signal) => detectOverdue({ database, dispatcher, signal }),
        },
      ],
    });
    started.defer(() => jobs.stop());
    serving = true;

    return {
      baseUrl,
      failed,
      stop: async () => {
        serving = false;
        await started.disposeAsync();
      },
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

async function openPostgres(config: Config, log: Logger, started: AsyncDisposableStack) {
  if (config.databaseUrl !== undefined) {
    return { databaseUrl: config.databaseUrl, failed: new Promise<never>(() => {}) };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) });
  started.defer(() => postgres.stop());
  const databaseUrl = postgres.url('runward');
  await ensureDatabase(databaseUrl);
  return {
    databaseUrl,
    failed: postgres.exited.then(({ code, signal }) => new Error(`PostgreSQL ended by itself (${signal ?? code}).`)),
  };
}

async function answers(database: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(database.em.fork().getKysely());
    return true;
  } catch {
    return false;
  }
}
