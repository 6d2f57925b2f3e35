/**
 * Injects faults into every process while clients work, then checks the history against the promises of the service:
 * `npm run chaos [-- --minutes N] [-- --seed N] [-- --quick] [-- --citus FOLDER] [-- --beside VERSION]`. See README.md.
 * Exits with 1 if a promise was violated.
 */
import { parseArgs } from 'node:util';
import { ensureDatabase } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { newDataFolder } from '@runward/testing/data-folder';
import { repository } from '@runward/testing/program';
import { besideOf } from './beside.ts';
import { runChaos } from './chaos-run.ts';
import { check } from './checker/check.ts';
import { faultsOf, restartsOf } from './faults/cluster-faults.ts';
import { citusFaults, postgresFaults } from './faults/database-faults.ts';
import type { Fault } from './faults/faults.ts';
import { startCitusCell } from './processes/citus-cell.ts';
import { startCluster } from './processes/cluster.ts';
import { startPostgres } from './processes/postgres.ts';
import { counts } from './report.ts';

const maxMinutes = 6;
const timeLimitMs = 600_000;
const maxShown = 20;
/** Longer than an outage of a receiver, but short enough for deliveries to fail for good. */
const retrySchedule = '0s,1s,2s,4s,8s,8s,8s,8s';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    quick: { type: 'boolean', default: false },
    citus: { type: 'string' },
    beside: { type: 'string' },
  },
});
const minutes = options.quick ? 1 : Number(options.minutes);
const seed = Number(options.seed);
if (!(minutes > 0 && minutes <= maxMinutes) || !Number.isInteger(seed)) {
  console.error(
    `Usage: npm run chaos [-- --minutes N] [-- --seed N] [-- --quick] [-- --beside VERSION]; at most ${maxMinutes} minutes.`,
  );
  process.exit(2);
}
const log = (line: string) => void process.stderr.write(`${line}\n`);

const beside = options.beside === undefined ? null : besideOf(options.beside, log);
const versions = beside === null ? [repository] : [repository, beside];

const started = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void started.disposeAsync().finally(() => process.exit(130)));
}
setTimeout(() => {
  console.error(`Not finished after ${timeLimitMs / 60_000} minutes; stopped.`);
  process.exit(1);
}, timeLimitMs).unref();

const folder = await newDataFolder();
try {
  const isGood = await run(folder.path);
  await started.disposeAsync();
  if (isGood) await folder[Symbol.asyncDispose]();
  else log(`The logs of all processes, clients and receivers are in ${folder.path}`);
  process.exitCode = isGood ? 0 : 1;
} finally {
  await started.disposeAsync();
}

async function run(dataDir: string): Promise<boolean> {
  log(`Seed ${seed}, ${minutes} min of faults, logs in ${dataDir}`);
  const { databaseUrl, faults } = await startDatabase(dataDir);
  const cluster = await startCluster({
    databaseUrl,
    folder: dataDir,
    seed,
    apis: 2,
    workers: 2,
    retrySchedule,
    versions,
    started,
  });

  // There are so many faults that a short run would restart few processes with the other version.
  const restarts = beside === null ? [] : [1, 2, 3, 4].flatMap(() => restartsOf(cluster));
  const all = [...faultsOf(cluster, databaseUrl), ...faults, ...restarts];
  const { history, end } = await runChaos(cluster, all, {
    seed,
    durationMs: minutes * 60_000,
    clients: 5,
    // A cluster recovers one server after the other, and a move waits for all of them.
    maxPauseMs: options.citus === undefined ? 5_000 : 15_000,
    databaseUrl,
    folder: dataDir,
    attempts: retrySchedule.split(',').length,
    maxSettleMs: 150_000,
    log,
  });
  const verdict = check(history, end);
  const lines = verdict.violations.slice(0, maxShown).map(({ rule, detail }) => `violation: ${rule}: ${detail}`);
  lines.push(`seed ${seed}`, ...counts(history, cluster.clients.sent(), verdict));
  process.stdout.write(`${lines.join('\n')}\n`);
  return verdict.violations.length === 0;
}

/** Starts the database of the service: PostgreSQL in a folder, or a cell on a Citus cluster. */
async function startDatabase(dataDir: string): Promise<{ databaseUrl: string; faults: Fault[] }> {
  if (options.citus !== undefined) {
    const cell = await startCitusCell(options.citus);
    started.defer(() => cell.stop());
    return { databaseUrl: cell.databaseUrl, faults: citusFaults(cell) };
  }
  const postgres = await startPostgres(dataDir);
  started.defer(() => postgres.stop());
  const databaseUrl = postgres.url('chaos');
  await ensureDatabase(databaseUrl);
  // As after an upgrade: the newer version has migrated the database before both serve it.
  await migrate(databaseUrl);
  return { databaseUrl, faults: postgresFaults(postgres) };
}
