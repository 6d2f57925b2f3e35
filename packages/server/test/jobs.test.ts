import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { Client } from 'pg';
import { pino } from 'pino';
import { startJobs, type Jobs, type Task } from '../src/jobs/agenda.ts';
import { createDatabase, type TestDatabase } from './support/database.ts';
import { until } from './support/receiver.ts';

let database: TestDatabase;
test.before(async () => {
  database = await createDatabase();
});
test.after.always(() => database.drop());

/** Starts jobs whose log a test can read. */
async function start(...tasks: Task[]): Promise<{ jobs: Jobs; log: string[] }> {
  const log: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => log.push(line) });
  return { jobs: await startJobs({ databaseUrl: database.url, log: logger, tasks }), log };
}

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const jobConnections = "from pg_stat_activity where application_name = 'runward-jobs' and datname = current_database()";

test.serial('a task runs at once and then as often as it says', async (t) => {
  const runs: number[] = [];
  const { jobs } = await start(
    { name: 'often', everySeconds: 1, run: async () => void runs.push(Date.now()) },
    { name: 'seldom', everySeconds: 3_600, run: async () => void runs.push(0) },
  );
  await until(() => runs.filter(Boolean).length >= 4, 'four runs');
  await jobs.stop();
  const [first = 0, , , fourth = 0] = runs.filter(Boolean);
  t.true(fourth - first > 2_000 && fourth - first < 6_000, `${fourth - first} ms`);
  t.is(runs.filter((at) => at === 0).length, 1);
});

test.serial('stopping ends tasks by their signal, leaves no job locked and no connection open', async (t) => {
  let begun = false;
  let told = false;
  const run: Task['run'] = async (signal) => {
    begun = true;
    await pause(60_000, undefined, { signal }).catch(() => {});
    told = signal.aborted;
  };
  let runs = 0;
  const { jobs, log } = await start(
    { name: 'long', everySeconds: 1, run },
    { name: 'short', everySeconds: 1, run: async () => void (runs += 1) },
  );
  await until(() => begun && runs > 0, 'a run of each');
  const begin = performance.now();
  await jobs.stop();
  t.true(performance.now() - begin < 2_000);
  t.true(told);
  t.deepEqual(await query('select name from agenda_jobs where locked_at is not null'), []);
  t.deepEqual(await query(`select pid ${jobConnections}`), []);
  t.deepEqual(log, []);
  const before = runs;
  await pause(1_200);
  t.is(runs, before);
});

test.serial('a task that does not hear the signal delays stopping by two seconds only', async (t) => {
  let started = false;
  const { jobs } = await start({
    name: 'deaf',
    everySeconds: 1,
    run: async () => {
      started = true;
      await pause(8_000, undefined, { ref: false });
    },
  });
  await until(() => started, 'the run');
  const begin = performance.now();
  await jobs.stop();
  t.true(performance.now() - begin < 4_000);
  await query('update agenda_jobs set locked_at = null');
});

test.serial('a failing task is logged and runs again; one under way is not started twice', async (t) => {
  let failures = 0;
  let now = 0;
  let peak = 0;
  const { jobs, log } = await start(
    {
      name: 'failing',
      everySeconds: 1,
      run: async () => {
        failures += 1;
        throw new Error('broken on purpose');
      },
    },
    {
      name: 'slow',
      everySeconds: 1,
      run: async (signal) => {
        peak = Math.max(peak, (now += 1));
        await pause(2_500, undefined, { signal }).catch(() => {});
        now -= 1;
      },
    },
  );
  await until(() => failures >= 3, 'three failures');
  await jobs.stop();
  t.is(peak, 1);
  t.true(log.every((line) => line.includes('broken on purpose') && line.includes('"job":"failing"')));
});

test.serial('several processes share the clock', async (t) => {
  const names: string[] = [];
  const task = (by: string): Task => ({ name: 'shared', everySeconds: 2, run: async () => void names.push(by) });
  const [one, other] = await Promise.all([start(task('one')), start(task('other'))]);
  await pause(3_500);
  await Promise.all([one.jobs.stop(), other.jobs.stop()]);
  t.true(names.length >= 1 && names.length <= 3, names.join());
  t.is((await query("select 1 from agenda_jobs where name = 'shared'")).length, 1);
});

test.serial('lost connections are survived', async (t) => {
  let runs = 0;
  const { jobs, log } = await start({ name: 'surviving', everySeconds: 1, run: async () => void (runs += 1) });
  await until(() => runs > 0, 'a run');
  // The end of that run is written before the connections go.
  await pause(100);
  const before = runs;
  t.true((await query(`select pg_terminate_backend(pid) ${jobConnections}`)).length > 0);
  await until(() => runs > before + 1, 'runs after the loss');
  t.true(log.some((line) => line.includes('a job connection was lost')));
  await jobs.stop();
});

test.serial('starting without a database fails instead of waiting for ever', async (t) => {
  const url = new URL(database.url);
  url.port = '1';
  const log = pino({ level: 'silent' });
  await t.throwsAsync(startJobs({ databaseUrl: url.href, log, tasks: [] }), { code: 'ECONNREFUSED' });
});
