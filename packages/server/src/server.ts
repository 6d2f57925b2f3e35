import { join } from 'node:path';
import type { Logger } from 'pino';
import { createPasswords } from './access/passwords.ts';
import type { FileExaminer, Ports } from './access/request-context.ts';
import { createClamd } from './adapters/clamd.ts';
import type { FileStore } from './adapters/file-store.ts';
import { openFileStore } from './adapters/open-file-store.ts';
import { openSignInMethods } from './adapters/openid/sign-in-methods.ts';
import { createOutboundHttp } from './adapters/outbound-http.ts';
import { findPdfPackages } from './adapters/pdf-packages.ts';
import { openPdfMaker } from './adapters/pdf.ts';
import { openSmtp } from './adapters/smtp.ts';
import { openUploadFolder, type UploadFolder } from './adapters/upload-folder.ts';
import { createCaches } from './caches.ts';
import { ensureReachable, listenOn, openDataFolder } from './check/start-step.ts';
import type { Config } from './config.ts';
import { closeDatabase } from './database/close-database.ts';
import { openDatabase, type Database } from './database/database.ts';
import { openPostgres } from './database/embedded/open-postgres.ts';
import { watchDiskSpace } from './database/health/disk-space.ts';
import { watchDatabase } from './database/health/watch-database.ts';
import { ensureMigrated, migrate } from './database/migrate.ts';
import { openReplica } from './database/replica/open-replica.ts';
import { createExaminer, type Examiner } from './files/examination/examiner.ts';
import { removeInfected } from './files/remove-infected.ts';
import { createApp, createProbes, type AppParts } from './http/app.ts';
import { listen } from './http/listen.ts';
import { jobsOf, loopsOf } from './jobs.ts';
import { openCounters } from './limits/open-counters.ts';
import { createRateLimiter } from './limits/rate-limit.ts';
import { createThrottles } from './limits/throttles.ts';
import { createPdfGate, createWorkGate } from './limits/work-gate.ts';
import { createMetrics } from './monitoring/create-metrics.ts';
import { openMailing, type Mailing } from './notifications/mailing.ts';
import { firstStart } from './organization/first-start.ts';
import { moveDeadlines } from './runs/change/move-deadlines.ts';
import { notifyRegularly } from './scheduler/notify-regularly.ts';
import { startScheduler } from './scheduler/scheduler.ts';
import type { PoolUse } from './telemetry/pool-metrics.ts';
import type { MetricsRegistry } from './telemetry/prometheus.ts';
import { startTracing } from './telemetry/tracing-start.ts';
import { createDispatcher, type Dispatcher } from './webhooks/delivery/dispatcher.ts';

/** A running service. */
export interface RunningServer {
  /** The URL at which clients reach it. */
  readonly baseUrl: string;
  /** Settles with the reason if the service can no longer work. */
  readonly failed: Promise<Error>;
  /** Finishes work in progress and stops. Requests have 10 s for it, and the receiver of traces has 2 s more. */
  stop(): Promise<void>;
}

/** Starts what the role of the process requires: database, webhook delivery, jobs, API. */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  // Stops what was started in reverse order, also if the start fails half-way.
  const started = new AsyncDisposableStack();
  try {
    if (config.tracing) await startTracing(config.tracing, log, started);
    await openDataFolder(config.dataDir);
    const { databaseUrl, failed } = await openPostgres(config, log, started);
    if (config.databaseUrl !== undefined) await ensureReachable(databaseUrl);
    await (config.migrateOnStart ? migrate(databaseUrl) : ensureMigrated(databaseUrl));
    const caches = createCaches();
    const space = watchDiskSpace(config.dataDir);
    let pool: PoolUse | null = null;
    const onPool = (created: PoolUse) => void (pool = created);
    const { databasePoolSize: poolSize } = config;
    const database = await openDatabase(databaseUrl, { poolSize, caches, onPool, onFullDisk: space.onFullDisk });
    started.defer(() => closeDatabase(database));
    const watch = watchDatabase(database);
    started.defer(() => watch.stop());

    const outbound = createOutboundHttp({ allowLocal: config.webhookAllowLocal });
    if (config.webhookAllowLocal) log.warn('WEBHOOK_ALLOW_LOCAL is true; webhooks can reach this machine');
    const { metrics, registry } = createMetrics({ database, caches, pool: () => pool });
    const { role, metricsPort, webhookRetrySchedule: retrySchedule } = config;
    const worker = role === 'api' ? null : createDispatcher({ database, outbound, retrySchedule, log, metrics });
    if (worker) started.defer(() => worker.stop());
    const wake = () => worker?.notify();
    const files = await openFiles(config);
    const examiner = worker && openExaminer(config, { database, dispatcher: worker, log, ...files }, started);
    const mailing = worker && (await openMail(config, { database, log }, started));
    const passwords = createPasswords();

    // Ready only while everything runs, so that a load balancer sends no requests before or after.
    let phase: 'starting' | 'serving' | 'stopping' = 'starting';
    const metricsAccess = { registry, token: config.metricsToken };
    const probes = {
      log,
      metrics,
      metricsAccess: metricsPort === undefined ? metricsAccess : null,
      trustedProxies: config.trustedProxies,
      traces: config.tracing !== undefined,
      whyNotReady: async () =>
        phase === 'serving'
          ? ((await watch.whyNotReady()) ?? (await space.whyNotReady(database)))
          : `the service is ${phase}`,
    };
    const { whyNotWritable } = watch;
    const shared = { database, whyNotWritable, outbound, passwords, registry, log, wake, files, examiner };
    const app =
      role === 'worker'
        ? createProbes(probes)
        : createApp({ ...probes, ...(await openApiParts(config, shared, databaseUrl, started)) });
    const http = await listenOn('PORT', () => listen(app, config.host, config.port, config));
    started.defer(() => http.close(10_000));
    if (metricsPort !== undefined) {
      const metricsApp = createProbes({ ...probes, metricsAccess });
      const apart = await listenOn('METRICS_PORT', () => listen(metricsApp, config.host, metricsPort, config));
      started.defer(() => apart.close(2_000));
    }
    const ownUrl = `http://${config.host}:${http.port}`;
    const baseUrl = role === 'worker' ? ownUrl : (config.baseUrl ?? ownUrl);

    const { dataDir, timeZone } = config;
    const credentials =
      role === 'worker' ? null : await firstStart(database, passwords, { dataDir, timeZone, baseUrl });
    if (credentials) {
      log.info(`created the organization "Demo" with the time zone ${timeZone}; its credentials are in ${credentials}`);
    }

    if (worker && examiner) {
      const parts = { database, log, dispatcher: worker, examiner, store: files.store, mailing };
      const mayWork = () => watch.whyNotWritable() === null;
      started.defer(notifyRegularly(loopsOf(parts), mayWork));
      const jobs = jobsOf(parts).map(({ name, everySeconds, run }) => ({
        name,
        everySeconds,
        run: async (signal: AbortSignal) => (mayWork() ? run(signal) : undefined),
      }));
      const scheduler = await startScheduler({ databaseUrl, jobsUrl: config.jobsUrl, log, metrics, jobs });
      started.defer(() => scheduler.stop());
    }
    phase = 'serving';

    return {
      baseUrl,
      failed,
      stop: async () => {
        phase = 'stopping';
        await started.disposeAsync();
      },
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

/** The parts that only a process that serves the API needs. */
async function openApiParts(
  config: Config,
  {
    outbound,
    passwords,
    files: { store, uploads },
    examiner,
    registry,
    ...shared
  }: Pick<AppParts, 'database' | 'whyNotWritable' | 'wake' | 'log'> &
    Pick<Ports, 'outbound' | 'passwords'> & { files: Files; examiner: FileExaminer | null; registry: MetricsRegistry },
  databaseUrl: string,
  started: AsyncDisposableStack,
) {
  const { log, database } = shared;
  const replica = await openReplica(config, { database, databaseUrl, registry, log }, started);
  const counters = await openCounters(config, databaseUrl, started, log);
  const packages = await findPdfPackages(config.fontsDir, log);
  const pdf = await openPdfMaker(join(config.dataDir, 'documents'), packages, createPdfGate(config.limits));
  started.defer(() => pdf.stop());
  const baseUrl = baseUrlOf(config);
  return {
    ...shared,
    replica,
    ports: {
      outbound,
      files: store,
      pdf,
      // In a process without workers, other processes find a file at their next poll.
      examiner: examiner ?? { hasScanner: config.clamavUrl !== undefined, notify: () => {} },
      passwords,
      signInMethods: started.adopt(openSignInMethods(config.signIn), (methods) => methods.close()),
      ...createThrottles(counters),
      moveDeadlines,
      limits: config.limits,
      smtp: config.mail ? started.adopt(await openSmtp(config.mail), (each) => each.close()) : null,
      baseUrl,
    },
    work: createWorkGate(config.limits),
    uploads,
    baseUrl,
    rateLimiter: createRateLimiter(config, counters),
    isSecure: (config.baseUrl ?? '').startsWith('https:'),
    inBackground: (work: Promise<void>) =>
      void work.catch((error: unknown) => log.warn({ err: error }, 'background work of a request failed')),
    compresses: config.compression,
    onMismatch: config.production
      ? null
      : (mismatch: Error) => log.error({ err: mismatch }, 'a response does not match the contract'),
    // Callers get an error instead of waiting for a database that hangs.
    timeBudgetMs: 5_500,
  };
}

/** Where files are stored, and where they are while requests and jobs process them. */
interface Files {
  readonly store: FileStore;
  readonly uploads: UploadFolder;
}

async function openFiles(config: Config): Promise<Files> {
  const { dataDir, filesUrl, filesKey } = config;
  const store = await openFileStore({ dataDir, filesUrl, filesKey, baseUrl: baseUrlOf(config) });
  return { store, uploads: await openUploadFolder(join(dataDir, 'uploads')) };
}

function openExaminer(
  { clamavUrl }: Config,
  parts: Files & { database: Database; dispatcher: Dispatcher; log: Logger },
  started: AsyncDisposableStack,
): Examiner {
  const { database, dispatcher, log, store, uploads: folder } = parts;
  const examiner = createExaminer({
    database,
    store,
    folder,
    scanner: clamavUrl === undefined ? null : createClamd(clamavUrl),
    removeInfected: (file, signature) => removeInfected({ database, dispatcher }, file, signature),
    log,
  });
  started.defer(() => examiner.stop());
  return examiner;
}

async function openMail(
  config: Config,
  parts: { database: Database; log: Logger },
  started: AsyncDisposableStack,
): Promise<Mailing | null> {
  const { mail, limits, webhookRetrySchedule: retrySchedule } = config;
  if (mail) return openMailing(mail, { ...parts, limits, retrySchedule, baseUrl: baseUrlOf(config) }, started);
  parts.log.info('SMTP_URL is not set; no mail is sent');
  return null;
}

function baseUrlOf({ baseUrl, host, port }: Config): string {
  return baseUrl ?? `http://${host}:${port}`;
}
