/**
 * Injects faults into every process while clients work, then checks the history against the promises of the service:
 * `npm run chaos [-- --minutes N] [-- --seed N] [-- --quick] [-- --citus FOLDER] [-- --beside VERSION]`. With `--soak
 * [--rate N]` it injects none, and looks for what grows. See README.md. Exits with 1 if a promise was violated, or
 * something grew.
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
import { startPostgres, type Postgres } from './processes/postgres.ts';
import { counts } from './report.ts';
import { soakedCluster, startSoak } from './soak/soak.ts';

const maxShown = 20;
/** Longer than an outage of a receiver, but short enough for deliveries to fail for good. */
const retrySchedule = '0s,1s,2s,4s,8s,8s,8s,8s';

/** The work besides single requests. A soak publishes rarely, because all active runs, which grow in number, follow. */
const chaosTempo = { batchSize: 300, publishPauses: [1_000, 4_000] } as const;
const soakTempo = { batchSize: 20, publishPauses: [240_000, 360_000] } as const;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    quick: { type: 'boolean', default: false },
    citus: { type: 'string' },
    beside: { type: 'string' },
    soak: { type: 'boolean', default: false },
    rate: { type: 'string', default: '15' },
  },
});
const { soak: isSoak, citus } = options;
const maxMinutes = isSoak ? 1_440 : 6;
const minutes = options.quick ? 1 : Number(options.minutes ?? (isSoak ? 60 : 5));
const timeLimitMs = isSoak ? (minutes + 15) * 60_000 : 600_000;
const [seed, rate] = [Number(options.seed), Number(options.rate)];
if (
  !(minutes > 0 && minutes <= maxMinutes) ||
  !Number.isInteger(seed) ||
  !(rate > 0) ||
  (isSoak && (citus ?? options.beside) !== undefined)
) {
  const kinds = '[-- --citus FOLDER] [-- --beside VERSION] [-- --soak [--rate N]]';
  const usage = `npm run chaos [-- --minutes N] [-- --seed N] [-- --quick] ${kinds}`;
  console.error(`Usage: ${usage}; at most ${maxMinutes} minutes.`);
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
  log(`Seed ${seed}, ${minutes} min of ${isSoak ? `${rate} requests a second` : 'faults'}, logs in ${dataDir}`);
  const { databaseUrl, faults, postgres } = await startDatabase(dataDir);
  const cluster = await startCluster({
    databaseUrl,
    folder: dataDir,
    seed,
    retrySchedule,
    versions,
    started,
    ...(isSoak && (await soakedCluster(dataDir, rate))),
  });

  // There are so many faults that a short run would restart few processes with the other version.
  const restarts = beside === null ? [] : [1, 2, 3, 4].flatMap(() => restartsOf(cluster));
  const all = isSoak ? [] : [...faultsOf(cluster, databaseUrl), ...faults, ...restarts];
  const durationMs = minutes * 60_000;
  const observed = { databaseUrl, folder: dataDir, durationMs, log };
  const soak = isSoak && postgres ? await startSoak(cluster, { ...observed, postgres }) : null;
  const { history, end } = await runChaos(cluster, all, {
    seed,
    durationMs,
    ...(soak ? { ...soakTempo, alongside: soak } : chaosTempo),
    // A cluster recovers one server after the other, and a move waits for all of them.
    maxPauseMs: citus === undefined ? 5_000 : 15_000,
    databaseUrl,
    folder: dataDir,
    attempts: retrySchedule.split(',').length,
    log,
  });
  const verdict = check(history, end);
  const { lines: measured, problems } = soak?.outcome() ?? { lines: [], problems: [] };
  const lines = verdict.violations.slice(0, maxShown).map(({ rule, detail }) => `violation: ${rule}: ${detail}`);
  lines.push(...problems.slice(0, maxShown).map((problem) => `violation: soak: ${problem}`), ...measured);
  lines.push(`seed ${seed}`, ...counts(history, cluster.clients.sent(), verdict));
  process.stdout.write(`${lines.join('\n')}\n`);
  return verdict.violations.length === 0 && problems.length === 0;
}

interface StartedDatabase {
  readonly databaseUrl: string;
  readonly faults: readonly Fault[];
  /** Null on a cluster. */
  readonly postgres: Postgres | null;
}

/** Starts the database of the service: PostgreSQL in a folder, or a cell on a Citus cluster. */
async function startDatabase(dataDir: string): Promise<StartedDatabase> {
  if (citus !== undefined) {
    const cell = await startCitusCell(citus);
    started.defer(() => cell.stop());
    return { databaseUrl: cell.databaseUrl, faults: citusFaults(cell), postgres: null };
  }
  const postgres = await startPostgres(dataDir);
  started.defer(() => postgres.stop());
  const databaseUrl = postgres.url('chaos');
  await ensureDatabase(databaseUrl);
  // As after an upgrade: the newer version has migrated the database before both serve it.
  await migrate(databaseUrl);
  return { databaseUrl, faults: postgresFaults(postgres), postgres };
}
