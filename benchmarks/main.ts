/**
 * Measures the service against a baseline and prints ratios: `npm run bench [-- --quick] [-- --built] [-- --only PART,PART] [-- --json FILE]`,
 * or a large installation: `npm run bench -- --scale [--runs N] [--folder FOLDER]`. See README.md. Exits with 0 if everything could be measured; aims are reported, not asserted.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDatabase, startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { newDataFolder } from '@runward/testing/data-folder';
import { Client } from 'pg';
import { compareApart } from './apart.ts';
import { compare, type Comparison } from './compare.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureDetection } from './detection.ts';
import { measureExport } from './export.ts';
import { compareFiles } from './files.ts';
import { measureIdle } from './idle.ts';
import { measureLimitCost } from './limit-cost.ts';
import { startLoadProcess } from './load-process.ts';
import { describeMachine, render, type Report } from './report.ts';
import { formsNeeded, headersOf, scenariosOf, type Profile } from './scenarios.ts';
import { measureScale } from './scale/main.ts';
import { seed, type Seed } from './seed.ts';
import { startServer, type ServerProcess } from './server-process.ts';
import { startRunward } from './service.ts';
import { compareRules, measureTemplateTimes } from './template-logic.ts';
import { watchMemory } from './usage.ts';
import { compareWholeRuns } from './whole-runs.ts';

const runs = 100_000;
const detailed = 500;
const past = 5_000;
const full: Profile = { rounds: 3, warmUpSeconds: 3, seconds: 8, warmUpFlows: 200, flows: 1000 };
const quick: Profile = { rounds: 1, warmUpSeconds: 1, seconds: 2, warmUpFlows: 50, flows: 200 };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    scale: { type: 'boolean', default: false },
    runs: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
  },
});
const parts = ['runs', 'forms', 'apart', 'templates', 'files', 'limits', 'latency', 'deliveries', 'detection'] as const;
const chosen = options.only === '' ? parts : options.only.split(',');
const wants = (name: (typeof parts)[number]) => chosen.includes(name);
if (chosen.some((name) => !parts.some((known) => known === name))) {
  console.error(`--only takes parts: ${parts.join(',')}`);
  process.exit(2);
}
if (!/^[1-9]\d*$/.test(options.runs)) {
  console.error('--runs takes a number of runs: --runs 20000');
  process.exit(2);
}
const profile = options.quick ? quick : full;
const isBuilt = options.built;
const deliveries = options.quick ? 3_000 : 20_000;
const events = options.quick ? 20 : 50;
const dueTasks = options.quick ? 2_000 : 10_000;
const log = (line: string) => void process.stderr.write(`${line}\n`);

const started = new AsyncDisposableStack();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
try {
  if (options.scale) await measureScale(Number(options.runs), options.folder, console.log);
  else await printReport();
} catch (error) {
  if (!interrupted) throw error;
} finally {
  await started.disposeAsync();
}

async function printReport(): Promise<void> {
  const report = await bench();
  process.stdout.write(`${render(report)}\n`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

function interrupt(): void {
  interrupted = true;
  // Pending work fails now, because its database and its servers are stopped.
  process.on('uncaughtException', () => {});
  void started.disposeAsync().finally(() => process.exit(130));
}

/** Does a part of the work. What it started is stopped when the part ends, or when everything is stopped. */
async function part<Result>(work: (stack: AsyncDisposableStack) => Promise<Result>): Promise<Result> {
  const stack = started.use(new AsyncDisposableStack());
  try {
    return await work(stack);
  } finally {
    await stack.disposeAsync();
  }
}

async function bench(): Promise<Report> {
  if (isBuilt) {
    log('Building ...');
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: dirname(import.meta.dirname), stdio: 'inherit' });
  }
  const { path: folder } = started.use(await newDataFolder());
  const starting = startEmbeddedPostgres({ dataDir: folder, log });
  // Deferred before it runs: the start takes seconds, in which everything may be stopped.
  started.defer(async () => (await starting.catch(() => null))?.stop());
  const postgres = await starting;
  const machine = describeMachine(await versionOf(postgres.url('postgres')));

  const serviceDatabaseUrl = postgres.url('service');
  log(`Filling the database with ${runs.toLocaleString('en')} runs ...`);
  const seeded = await fill(serviceDatabaseUrl, postgres.url('postgres'));

  const baseline = await startBaseline(postgres.url('baseline'), folder, seeded);
  const load = started.use(await startLoadProcess(folder));
  const comparisons: Comparison[] = [];
  const throughput = await part(async (stack) => {
    const options = { databaseUrl: serviceDatabaseUrl, folder, mode: 'production', built: isBuilt } as const;
    const service = stack.use(await startRunward(options));
    const memory = watchMemory(service.pid);
    const target = { url: service.baseUrl, pid: service.pid };
    const rest = { load, postgresPid: postgres.pid, serviceDatabaseUrl, rounds: profile.rounds, log };
    let exported: Report['exported'];
    if (wants('runs')) {
      log(`Exporting ${runs.toLocaleString('en')} runs ...`);
      exported = await measureExport(service.baseUrl, headersOf(seeded), runs);
      const bench = { ...rest, service: target, baseline: { url: baseline.baseUrl, pid: baseline.pid } };
      for (const scenario of scenariosOf(seeded, profile, runs)) comparisons.push(await compare(bench, scenario));
    }
    if (wants('forms')) {
      const bench = { ...rest, service: target, baseline: target };
      comparisons.push(...(await compareWholeRuns(bench, seeded, headersOf(seeded), profile)));
    }
    if (wants('apart')) {
      comparisons.push(await compareApart({ ...rest, baseline: target }, { seeded, profile, folder }, stack));
    }
    if (wants('files')) {
      comparisons.push(...(await compareFiles({ ...rest, service: target }, { seeded, profile, folder }, stack)));
    }
    const memoryMb = await memory.stop();
    let templates: Report['templates'];
    if (wants('templates')) {
      log('Measuring large templates ...');
      const caller = { url: service.baseUrl, headers: headersOf(seeded) };
      templates = await measureTemplateTimes(caller);
      comparisons.push(await compareRules({ ...rest, service: target, baseline: target }, caller, profile));
    }
    return { exported, templates, memoryMb };
  });

  const others: Partial<Report> = {};
  const common = { databaseUrl: serviceDatabaseUrl, folder };
  if (wants('limits')) {
    const bench = { ...common, load, postgresPid: postgres.pid, seed: seeded, profile, log };
    others.limitCost = await measureLimitCost(bench);
  }
  if (wants('latency')) {
    log('Measuring from event to receiver ...');
    const bench = { ...common, seeded, events };
    others.latency = await part((stack) => measureIdle(bench, ['all'], stack));
    others.latencyApart = await part((stack) => measureIdle(bench, ['api', 'worker'], stack));
  }
  if (wants('deliveries')) {
    log(`Delivering ${deliveries.toLocaleString('en')} events at a time ...`);
    const outbox = { ...common, seeded, postgresPid: postgres.pid, rounds: profile.rounds, count: deliveries, log };
    comparisons.push(...(await part((stack) => measureDeliveries(outbox, stack))));
  }
  if (wants('detection')) {
    log(`Detecting ${dueTasks.toLocaleString('en')} overdue tasks ...`);
    others.detection = await part((stack) => measureDetection({ ...common, seeded, tasks: dueTasks }, stack));
  }
  return { at: new Date().toISOString(), quick: options.quick, machine, comparisons, ...throughput, ...others };
}

/** Seeds the database of the service and gives the baseline a copy: the same rows under the same ids. */
async function fill(databaseUrl: string, adminUrl: string): Promise<Seed> {
  await ensureDatabase(databaseUrl);
  await migrate(databaseUrl);
  const seeded = await seed(databaseUrl, { runs, detailed, forms: formsNeeded(profile), past });
  await query(adminUrl, 'create database baseline template service strategy file_copy');
  return seeded;
}

async function startBaseline(databaseUrl: string, folder: string, seeded: Seed): Promise<ServerProcess> {
  const { runIds: _, formTaskIds: __, ...constants } = seeded;
  const args = [JSON.stringify(constants)];
  const path = `/runs/${seeded.runIds[0] ?? ''}`;
  const env = { DATABASE_URL: databaseUrl, NODE_ENV: 'production' };
  return started.use(await startServer('benchmarks/baseline.ts', { args, env, cwd: folder }, path));
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
