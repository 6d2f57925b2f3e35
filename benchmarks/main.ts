/**
 * Measures the service: `npm run bench [-- --quick] [-- --built] [-- --only PART,PART] [-- --json FILE]`. Or measures a
 * large installation: `npm run bench -- --scale [--runs N] [--folder FOLDER]`. Or measures the ways to the database:
 * `npm run bench -- --cells BIN_FOLDER`. See README.md. Exits with 0 if everything could be measured; aims are
 * reported, not asserted.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { newDataFolder } from '@runward/testing/data-folder';
import { cells } from './cells/cells.ts';
import type { Bench, Outcome, SeededBench } from './harness/part.ts';
import { formsNeeded, full, quick } from './harness/profile.ts';
import { describeMachine, render, type Report } from './harness/report.ts';
import { startRunward } from './harness/service.ts';
import { watchMemory } from './harness/usage.ts';
import { startLoadProcess } from './load/load-process.ts';
import { parts } from './parts.ts';
import { scale } from './scale/scale.ts';
import { runCount, seedTwice } from './seed/seed.ts';

const options = readOptions();
const profile = options.quick ? quick : full;
const names = options.only === '' ? parts.map(({ name }) => name) : options.only.split(',');
if (names.some((name) => !parts.some((part) => part.name === name)))
  fail('--only takes parts: ' + parts.map(({ name }) => name).join(','));
if (!/^([1-9]\d*)?$/.test(options.runs)) fail('--runs takes a number of runs: --runs 20000');
const runs = Number(options.runs) || (options.quick ? 20_000 : 1_000_000);
const usual = parts.filter(({ name }) => names.includes(name));
const chosen = options.cells !== undefined ? [cells(options.cells)] : options.scale ? [scale] : usual;
const log = (line: string) => void process.stderr.write(`${line}\n`);

const started = new AsyncDisposableStack();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
try {
  await measureAndPrint();
} catch (error) {
  if (!interrupted) throw error;
} finally {
  await started.disposeAsync();
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        built: { type: 'boolean', default: false },
        json: { type: 'string' },
        only: { type: 'string', default: '' },
        scale: { type: 'boolean', default: false },
        cells: { type: 'string' },
        runs: { type: 'string', default: '' },
        folder: { type: 'string' },
      },
    }).values;
  } catch (error) {
    const usage = 'npm run bench [-- --quick] [-- --built] [-- --only PART,PART] [-- --json FILE]';
    const others = '[-- --scale [--runs N] [--folder FOLDER]] [-- --cells BIN_FOLDER]';
    return fail(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage} ${others}`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function interrupt(): void {
  interrupted = true;
  // Pending work fails now, because its database and servers have stopped.
  process.on('uncaughtException', () => {});
  void started.disposeAsync().finally(() => process.exit(130));
}

async function measureAndPrint(): Promise<void> {
  if (options.built) {
    log('Building ...');
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: dirname(import.meta.dirname), stdio: 'inherit' });
  }
  const folder = options.folder === undefined ? started.use(await newDataFolder()).path : resolve(options.folder);
  await mkdir(folder, { recursive: true });
  const starting = startEmbeddedPostgres({ dataDir: folder, log });
  // Deferred before the service has started: the start takes seconds, and everything may be stopped meanwhile.
  started.defer(async () => (await starting.catch(() => null))?.stop());
  const postgres = await starting;
  const machine = await withClient(postgres.url('postgres'), async (client) => {
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    return describeMachine(rows[0]?.version ?? 'unknown');
  });
  const load = started.use(await startLoadProcess(folder));
  const outcomes = await measure({ profile, runs, built: options.built, folder, postgres, load, stack: started, log });
  const all = <Item>(of: (outcome: Outcome) => readonly Item[] | undefined) =>
    outcomes.flatMap((each) => of(each) ?? []);
  const report: Report = {
    at: new Date().toISOString(),
    quick: options.quick,
    machine,
    comparisons: all(({ comparisons }) => comparisons),
    ...Object.assign({}, ...outcomes.map(({ results }) => results)),
    figures: all(({ figures }) => figures),
  };
  const notes = all((outcome) => outcome.notes);
  process.stdout.write(`${render(report, notes)}\n`);
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

async function measure(bench: Bench): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  if (chosen.some(({ needs }) => needs !== 'nothing')) {
    log(`Filling the database with ${runCount.toLocaleString('en')} runs ...`);
    const seeded = await seedTwice(bench.postgres, formsNeeded(profile));
    outcomes.push(...(await measureSeeded({ ...bench, seeded, databaseUrl: bench.postgres.url('service') })));
  }
  for (const part of chosen) if (part.needs === 'nothing') outcomes.push(await run(part, bench));
  return outcomes;
}

async function measureSeeded(bench: SeededBench): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  if (chosen.some(({ needs }) => needs === 'service')) {
    // This service stops before the others, because it would deliver what they are about to measure.
    await using stack = bench.stack.use(new AsyncDisposableStack());
    const service = stack.use(await startRunward({ ...bench, mode: 'production' }));
    const memory = watchMemory(service.pid);
    for (const part of chosen) {
      if (part.needs === 'service') outcomes.push(await run(part, { ...bench, service }));
    }
    const memoryMb = await memory.stop();
    const figure = { name: 'memory of the service, MB', max: memoryMb, aim: '< 250' };
    outcomes.push({ figures: [figure], results: { memoryMb } });
  }
  for (const part of chosen) if (part.needs === 'seed') outcomes.push(await run(part, bench));
  return outcomes;
}

/** Measures a part. Everything that it has started stops when it ends, or when the whole benchmark is stopped. */
async function run<Needed extends Bench>(
  part: { name: string; measure(bench: Needed): Promise<Outcome> },
  bench: Needed,
) {
  log(`Measuring ${part.name} ...`);
  await using stack = bench.stack.use(new AsyncDisposableStack());
  return await part.measure({ ...bench, stack });
}
