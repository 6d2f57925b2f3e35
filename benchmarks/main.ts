/**
 * Measures the service against a floor and prints ratios: `npm run bench [-- --quick] [-- --json FILE]`. See README.md. Exits 0
 * whenever everything could be measured; aims are reported, not asserted.
 */
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { removeEmbeddedPostgres } from '@runward/server/internal/database/embedded/files';
import { ensureDatabase, startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { startServerChild, type ServerChild } from './child.ts';
import { compare, type Comparison } from './compare.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureDetection } from './detection.ts';
import { measureIdle } from './idle.ts';
import { measureLimitCost } from './limit-cost.ts';
import { startLoadProcess } from './load-process.ts';
import { describeMachine, render, type Report } from './report.ts';
import { seed, type Seed } from './seed.ts';
import { startRunward } from './service.ts';
import { formsNeeded, subjectsOf, type Pace } from './subjects.ts';
import { watchMemory } from './usage.ts';

const runs = 100_000;
const detailed = 500;
const past = 5_000;
const fullPace: Pace = { rounds: 3, warmUpSeconds: 3, seconds: 8, warmUpFlows: 200, flows: 1000 };
const quickPace: Pace = { rounds: 1, warmUpSeconds: 1, seconds: 2, warmUpFlows: 50, flows: 200 };

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const pace = options.quick ? quickPace : fullPace;
const deliveries = options.quick ? 3_000 : 20_000;
const events = options.quick ? 20 : 50;
const dueTasks = options.quick ? 2_000 : 10_000;
const say = (line: string) => void process.stderr.write(`${line}\n`);

const started = new AsyncDisposableStack();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
try {
  const report = await bench();
  process.stdout.write(`${render(report)}\n`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
} catch (error) {
  if (!interrupted) throw error;
} finally {
  await started.disposeAsync();
}

function interrupt(): void {
  interrupted = true;
  // Whatever is under way loses its database and its servers now; that it fails is no finding.
  process.on('uncaughtException', () => {});
  void started.disposeAsync().finally(() => process.exit(130));
}

/** Does a part of the work. What it started is stopped when it is over, or when everything is. */
async function part<Result>(work: (stack: AsyncDisposableStack) => Promise<Result>): Promise<Result> {
  const stack = started.use(new AsyncDisposableStack());
  try {
    return await work(stack);
  } finally {
    await stack.disposeAsync();
  }
}

async function bench(): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'runward-bench-'));
  started.defer(() => removeEmbeddedPostgres(folder));
  // PostgreSQL runs as another user when this is root, and has to pass through.
  await chmod(folder, 0o711);
  const starting = startEmbeddedPostgres({ dataDir: folder, log: say });
  // Before it runs: starting takes seconds, in which everything may be stopped.
  started.defer(async () => (await starting.catch(() => null))?.stop());
  const postgres = await starting;
  const machine = describeMachine(await versionOf(postgres.url('postgres')));

  const serviceDatabaseUrl = postgres.url('service');
  say(`Filling the database with ${runs.toLocaleString('en')} runs ...`);
  const seeded = await fill(serviceDatabaseUrl, postgres.url('postgres'));

  const floor = await startFloor(postgres.url('floor'), folder, seeded);
  const load = await startLoadProcess(folder);
  started.defer(() => load.stop());
  const { comparisons, memoryMb } = await part(async (stack) => {
    const service = await startRunward({ databaseUrl: serviceDatabaseUrl, folder, mode: 'production' });
    stack.defer(() => service.stop());
    const memory = watchMemory(service.pid);
    const comparisons: Comparison[] = [];
    for (const subject of subjectsOf(seeded, pace, runs)) {
      const sides = {
        service: { url: service.baseUrl, pid: service.pid },
        floor: { url: floor.baseUrl, pid: floor.pid },
      };
      const bench = { ...sides, load, postgresPid: postgres.pid, serviceDatabaseUrl, rounds: pace.rounds, say };
      comparisons.push(await compare(bench, subject));
    }
    return { comparisons, memoryMb: await memory.stop() };
  });

  const limitCost = await measureLimitCost({
    load,
    postgresPid: postgres.pid,
    databaseUrl: serviceDatabaseUrl,
    folder,
    seed: seeded,
    pace,
    say,
  });

  const common = { databaseUrl: serviceDatabaseUrl, folder, seeded };
  say('From event to receiver ...');
  const latency = await part((stack) => measureIdle({ ...common, events }, ['all'], stack));
  const latencyApart = await part((stack) => measureIdle({ ...common, events }, ['api', 'worker'], stack));
  say(`Delivering ${deliveries.toLocaleString('en')} events at a time ...`);
  const outbox = { ...common, postgresPid: postgres.pid, rounds: pace.rounds, count: deliveries, say };
  comparisons.push(...(await part((stack) => measureDeliveries(outbox, stack))));
  say(`Finding ${dueTasks.toLocaleString('en')} due tasks ...`);
  const detection = await part((stack) => measureDetection({ ...common, tasks: dueTasks }, stack));
  const at = new Date().toISOString();
  return { at, quick: options.quick, machine, comparisons, limitCost, latency, latencyApart, detection, memoryMb };
}

/** Seeds the service's database and gives the floor a copy: the same rows under the same ids. */
async function fill(databaseUrl: string, adminUrl: string): Promise<Seed> {
  await ensureDatabase(databaseUrl);
  await migrate(databaseUrl);
  const seeded = await seed(databaseUrl, { runs, detailed, forms: formsNeeded(pace), past });
  await query(adminUrl, 'create database floor template service strategy file_copy');
  return seeded;
}

async function startFloor(databaseUrl: string, folder: string, seeded: Seed): Promise<ServerChild> {
  const { runIds: _, formTaskIds: __, ...constants } = seeded;
  const args = [JSON.stringify(constants)];
  const path = `/runs/${seeded.runIds[0] ?? ''}`;
  const env = { DATABASE_URL: databaseUrl, NODE_ENV: 'production' };
  const floor = await startServerChild({ program: 'benchmarks/floor.ts', args, env, folder }, path);
  started.defer(() => floor.stop());
  return floor;
}

async function versionOf(url: string): Promise<string> {
  const [row] = await query<{ server_version: string }>(url, 'show server_version');
  return row?.server_version ?? 'unknown';
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
