import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '@runward/testing/random';
import { injectFaults, type Fault } from './faults/faults.ts';
import { collectAdmin } from './history/collect-admin.ts';
import { collectEntries } from './history/collect-entries.ts';
import { checkStore, collectFiles } from './history/collect-files.ts';
import { collectMails } from './history/collect-mails.ts';
import { collectRows } from './history/collect-rows.ts';
import { collect, countPending } from './history/collect.ts';
import { followFeed, readFeed } from './history/follow-feed.ts';
import type { History } from './history/history.ts';
import { runCheck } from './history/run-check.ts';
import type { Cluster } from './processes/cluster.ts';
import { administeredDomain, startAdministrators } from './workloads/administrators.ts';
import { startConsoleUsers } from './workloads/console-users.ts';
import { startKeyHolders } from './workloads/key-holders.ts';
import { startLoad } from './workloads/load.ts';
import { mailWorkloads } from './workloads/mail-workload.ts';
import { startPortalVisitors } from './workloads/portal-visitors.ts';
import { startPublisher } from './workloads/publisher.ts';
import { startRowWriters } from './workloads/row-writer.ts';
import { workloads } from './workloads/workload.ts';

/** The options of a chaos run. Times are in milliseconds. */
export interface ChaosOptions {
  readonly seed: number;
  readonly durationMs: number;
  /** The longest pause between two faults. */
  readonly maxPauseMs: number;
  /** A connection to the database that no fault affects. */
  readonly databaseUrl: string;
  /** The data folder of the cluster. */
  readonly folder: string;
  /** How many attempts the retry schedule has. */
  readonly attempts: number;
  /** The number of rows that a bulk request writes. */
  readonly batchSize: number;
  /** The shortest and the longest pause between two publications. */
  readonly publishPauses: readonly [number, number];
  /** What works beside the clients. Default: nothing. */
  readonly alongside?: Alongside;
  readonly log: (line: string) => void;
}

/** Something that works beside the clients of a run. */
export interface Alongside {
  /** Called when all clients stop. */
  stop(): Promise<void>;
  /** Called when nothing is pending any more, while all processes still run. */
  settled(): Promise<void>;
}

/** The outcome of a chaos run. */
export interface ChaosResult {
  readonly history: History;
  /** When the system was last observed, in epoch milliseconds. */
  readonly end: number;
}

/** Maximum time to wait for pending deliveries and deadlines after the faults. */
const maxSettleMs = 150_000;

/**
 * Injects faults while clients work. Then waits until nothing is pending, stops the service and collects the history.
 */
export async function runChaos(
  cluster: Cluster,
  faults: readonly Fault[],
  options: ChaosOptions,
): Promise<ChaosResult> {
  const { apis, workers, clients, receiver, mailServer, template, owner, exits } = cluster;
  const { seed, durationMs, databaseUrl, folder, attempts } = options;
  const startedAt = Date.now();
  const log = (line: string) => options.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  const logProgress = () =>
    log(`${clients.sent()} requests, ${clients.operations.length} operations, ${exits.length} process exits`);
  const progress = setInterval(logProgress, 15_000);

  try {
    const endFeed = followFeed(clients);
    const load = startLoad(clients, template, { clients: 5, seed, name: 'client', workloads });
    const mailLoad = startLoad(clients, template, { clients: 3, seed, name: 'mail client', workloads: mailWorkloads });
    const rowWriters = await startRowWriters(clients, seed, options.batchSize);
    const portal = await startPortalVisitors(clients, apis, seed);
    const keys = await startKeyHolders(apis, owner, seed, clients.pace);
    const consoleUsers = await startConsoleUsers(clients, { template, owner, baseUrl: apis[0]?.baseUrl ?? '' }, seed);
    const administrators = await startAdministrators(clients, { apis, owner, template }, seed);
    const publisher = startPublisher(clients, template, createRandom(seed, 'publisher'), options.publishPauses);
    const random = createRandom(seed, 'faults');
    const injected = await injectFaults(faults, { ...options, random, durationMs, log });
    const work = [load, mailLoad, publisher, rowWriters, portal, keys, consoleUsers, administrators, options.alongside];
    await Promise.all(work.map(async (each) => each?.stop()));
    await Promise.all([...apis, ...workers].map((process) => process.ready()));
    log(`${faults.length > 0 ? 'no more faults' : 'clients have stopped'}; waiting until nothing is pending`);
    await settle(options);
    await options.alongside?.settled();
    // Without workers nothing changes while the feed is read.
    await Promise.all(workers.map((process) => process.stop()));
    const end = Date.now();
    const feeds = { during: await endFeed(), after: await readFeed(clients) };
    await administrators.visitAll();
    const entries = await collectEntries(clients, consoleUsers.forms);
    await Promise.all(apis.map((process) => process.stop()));
    const { operations, failures } = clients;
    const received = await receiver.received();
    const collected = await collect(databaseUrl);
    const rows = { ...(await collectRows(databaseUrl, rowWriters.source)), operations: rowWriters.operations };
    const mail = {
      ...(await collectMails(databaseUrl)),
      approverIds: template.approverIds,
      // API processes mail form links at once and do not store these mails.
      received: (await mailServer.received()).filter(({ worker }) => !worker.startsWith('api')),
    };
    const { changes, visits } = administrators;
    const admin = { ...(await collectAdmin(databaseUrl, folder, administeredDomain)), changes, visits };
    // Collected before the check, which removes bytes without a row.
    const files = await collectFiles(databaseUrl, folder);
    const store = await checkStore(databaseUrl, folder);
    const { differences: counters } = await runCheck<{ differences: History['counters'] }>(
      databaseUrl,
      folder,
      'counters',
      'check',
    );
    const { uploads, downloads } = clients.files;
    const seen = { operations, failures, received, feeds, uploads: [...uploads.values()], downloads };
    const observed = {
      ...seen,
      rows,
      portal,
      keys,
      admin,
      console: { ...consoleUsers, entries },
      mail,
      ...files,
      store,
      counters,
      faults: injected,
      exits,
    };
    return { history: { ...collected, ...observed, approvalTaskIds: [template.approvalTaskId], attempts }, end };
  } finally {
    clearInterval(progress);
  }
}

/**
 * Waits until nothing is pending. This includes leases of killed workers (15 s; 90 s for a mail) and the job that
 * detects overdue tasks (every 30 s). The checker reports what is still pending after the maximum wait.
 */
async function settle({ databaseUrl, log }: ChaosOptions): Promise<void> {
  for (const deadline = Date.now() + maxSettleMs; ; await pause(500)) {
    const { deliveries, deadlines, ruleSyncs, files, mails } = await countPending(databaseUrl);
    if (deliveries === 0 && deadlines === 0 && ruleSyncs === 0 && files === 0 && mails === 0) return;
    if (Date.now() > deadline) {
      const rest = `${ruleSyncs} rule syncs, ${files} files to examine, ${mails} events, notifications and mails`;
      return log(`still pending: ${deliveries} deliveries, ${deadlines} deadlines, ${rest}`);
    }
  }
}
