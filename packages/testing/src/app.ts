import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry, type PrometheusContentType } from '@prometheus-io/client';
import { defaultLimits, type Limits } from '@runward/contract';
import { openDiskFileStore } from '@runward/server/internal/adapters/disk-file-store';
import type { FileStore } from '@runward/server/internal/adapters/file-store';
import { openSignInMethods } from '@runward/server/internal/adapters/openid/sign-in-methods';
import { createOutboundHttp, type OutboundHttp } from '@runward/server/internal/adapters/outbound-http';
import { openPdfMaker } from '@runward/server/internal/adapters/pdf';
import { findPdfPackages } from '@runward/server/internal/adapters/pdf-packages';
import type { Smtp } from '@runward/server/internal/adapters/smtp';
import { openUploadFolder } from '@runward/server/internal/adapters/upload-folder';
import type { VirusScanner } from '@runward/server/internal/adapters/virus-scanner';
import { openDatabase, type Database } from '@runward/server/internal/database/database';
import { inTransaction } from '@runward/server/internal/database/transaction';
import { createExaminer, type Examiner } from '@runward/server/internal/files/examination/examiner';
import { removeInfected } from '@runward/server/internal/files/remove-infected';
import { createApp } from '@runward/server/internal/http/app';
import { listen } from '@runward/server/internal/http/listen';
import { createRateLimiter, inMemory } from '@runward/server/internal/limits/rate-limit';
import { createThrottles } from '@runward/server/internal/limits/throttles';
import { createPdfGate, createWorkGate } from '@runward/server/internal/limits/work-gate';
import { moveDeadlines } from '@runward/server/internal/runs/change/move-deadlines';
import type { SignInSettings } from '@runward/server/internal/sign-in-settings';
import { addPendingMetric } from '@runward/server/internal/telemetry/backlog-metrics';
import { createLog } from '@runward/server/internal/telemetry/log';
import { prometheusMetrics } from '@runward/server/internal/telemetry/prometheus';
import { createDispatcher, type Dispatcher } from '@runward/server/internal/webhooks/delivery/dispatcher';
import { countPendingDeliveries } from '@runward/server/internal/webhooks/queries/count-pending-deliveries';
import type { TestFn } from 'ava';
import { multistream } from 'pino';
import { readColumns } from './checks/columns.ts';
import { ensureConsistent } from './checks/consistency.ts';
import { failOnLeaks, secrets } from './checks/secrets.ts';
import { createDatabase } from './database.ts';
import { cheapPasswords } from './passwords.ts';
import { freePort } from './ports.ts';
import { provisionIn, type Provision } from './provision.ts';

/**
 * The service inside the process of one test file. It has its own database, an HTTP port and webhook delivery, but no
 * scheduler.
 */
export interface TestApp {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly provision: Provision;
  readonly dispatcher: Dispatcher;
  readonly outbound: OutboundHttp;
  readonly files: FileStore;
  readonly examiner: Examiner;
  /** Where the file store keeps files, in folders by organization. */
  readonly filesFolder: string;
  /** Where the files of multipart bodies lie while their requests last. */
  readonly uploadsFolder: string;
}

/** Longer than in the service, so that a busy machine does not look like an outage. */
const usualBudgetMs = 30_000;
const databaseTimeouts = {
  connectionTimeoutMillis: usualBudgetMs,
  query_timeout: usualBudgetMs,
  statement_timeout: usualBudgetMs,
  // A test waits for it.
  lock_timeout: 10_000,
};

/** What a test file may configure. */
export interface TestAppOptions {
  readonly writesPerMinute?: number;
  readonly readsPerMinute?: number;
  readonly retrySchedule?: readonly number[];
  /** The virus scanner. Without one, files are not scanned. */
  readonly scanner?: VirusScanner;
  /** The mail server. Without one, no mail is sent. */
  readonly smtp?: Smtp;
  /** A migrated database that the test deletes. Default: a new one. */
  readonly databaseUrl?: string;
  /** Limits that differ from the default. */
  readonly limits?: Partial<Limits>;
  /** How long a request waits for the database, in milliseconds. Default: 30 seconds. */
  readonly timeBudgetMs?: number;
  /** The host name of the URL at which clients reach it. Default: 127.0.0.1. */
  readonly hostName?: string;
  /** How members sign in, given where the service will be and what creates organizations. Default: by password. */
  readonly signIn?: (parts: { readonly baseUrl: string; readonly provision: Provision }) => Promise<SignInSettings>;
}

/**
 * Starts the service before the file's tests and stops it after them. Fails if a secret that the tests handled is in
 * the log, in an error body or in the database, or if counters or rows contradict each other. The returned object is
 * filled in when the tests begin.
 */
export function useApp(test: TestFn, options: TestAppOptions = {}): TestApp {
  const app: Partial<TestApp> = {};
  const stack = new AsyncDisposableStack();
  test.before(async () => {
    Object.assign(app, await startApp(stack, options));
  });
  test.after('the log, the errors and the database hold no secret', async () => {
    failOnLeaks(secrets.leaks(await readColumns((app as TestApp).databaseUrl)));
  });
  test.after('counters and rows belong to the runs', () => ensureConsistent((app as TestApp).database));
  test.after.always(() => stack.disposeAsync());
  return app as TestApp;
}

async function newDatabase(stack: AsyncDisposableStack): Promise<string> {
  const { url, drop } = await createDatabase();
  stack.defer(drop);
  return url;
}

/**
 * Starts the service and adds it to a stack, whose disposal stops it. The environment variables of `npm test` name the
 * database.
 */
export async function startApp(stack: AsyncDisposableStack, options: TestAppOptions = {}): Promise<TestApp> {
  const log = createLog(
    'trace',
    multistream([
      { level: 'trace', stream: { write: (line: string) => secrets.keep('log', line) } },
      { level: process.env['LOG_LEVEL'] ?? 'error', stream: process.stdout },
    ]),
  );
  const databaseUrl = options.databaseUrl ?? (await newDatabase(stack));
  const database = await openDatabase(databaseUrl, { timeouts: databaseTimeouts });
  stack.defer(() => database.close());
  const outbound = createOutboundHttp({ allowLocal: true });
  const retrySchedule = options.retrySchedule ?? [0, 5, 300];
  const registry = new Registry<PrometheusContentType>();
  addPendingMetric(registry, () => inTransaction(database, countPendingDeliveries));
  const metrics = prometheusMetrics(registry);
  const dispatcher = createDispatcher({ database, outbound, retrySchedule, log, metrics });
  stack.defer(() => dispatcher.stop());
  const folder = await mkdtemp(join(tmpdir(), 'runward-files-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const [filesFolder, uploadsFolder] = [join(folder, 'files'), join(folder, 'uploads')];
  const uploads = await openUploadFolder(uploadsFolder);
  // Chosen in advance, because the URLs of the file store contain it.
  const port = await freePort();
  const baseUrl = `http://${options.hostName ?? '127.0.0.1'}:${port}`;
  const files = await openDiskFileStore({ folder: filesFolder, baseUrl });
  const examiner = createExaminer({
    database,
    store: files,
    folder: uploads,
    scanner: options.scanner ?? null,
    removeInfected: (file, signature) => removeInfected({ database, dispatcher }, file, signature),
    log,
  });
  stack.defer(() => examiner.stop());
  // All tests share one address.
  const limits = { ...defaultLimits, connectionsPerAddress: 1_000, ...options.limits };
  const pdf = await openPdfMaker(
    join(folder, 'documents'),
    await findPdfPackages(undefined, log),
    createPdfGate(limits),
    { layoutMs: usualBudgetMs },
  );
  stack.defer(() => pdf.stop());
  const provision = provisionIn(database);
  const signInMethods = openSignInMethods(
    (await options.signIn?.({ baseUrl, provision })) ?? { byPassword: true, providers: [] },
  );
  stack.defer(() => signInMethods.close());
  const trustedProxies = 1;
  const app = createApp({
    database,
    replica: null,
    whyNotWritable: () => null,
    ports: {
      outbound,
      files,
      pdf,
      examiner,
      passwords: cheapPasswords,
      signInMethods,
      ...createThrottles(inMemory),
      moveDeadlines,
      limits,
      smtp: options.smtp ?? null,
      baseUrl,
    },
    work: createWorkGate(limits, { longestWaitMs: usualBudgetMs }),
    uploads,
    log,
    metrics,
    metricsAccess: { registry, token: undefined },
    baseUrl,
    wake: () => dispatcher.notify(),
    trustedProxies,
    isSecure: false,
    inBackground: (work) => void work.catch((error: unknown) => log.error(error)),
    rateLimiter: createRateLimiter(
      { readsPerMinute: options.readsPerMinute ?? 100_000, writesPerMinute: options.writesPerMinute ?? 100_000 },
      inMemory,
    ),
    compresses: true,
    onMismatch: (mismatch) => {
      throw mismatch;
    },
    timeBudgetMs: options.timeBudgetMs ?? usualBudgetMs,
    whyNotReady: async () => null,
  });
  const http = await listen(app, '127.0.0.1', port, { limits, trustedProxies });
  stack.defer(() => http.close(1_000));
  return {
    baseUrl,
    databaseUrl,
    database,
    provision,
    dispatcher,
    outbound,
    files,
    examiner,
    filesFolder,
    uploadsFolder,
  };
}
