import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@runward/testing/until';
import type { TestFn } from 'ava';
import type { Job } from '../../../src/scheduler/scheduler.ts';
import { counting, openJobBench, shortSeconds, withoutDelays } from './bench.ts';
import type { TestStore } from './job-stores.ts';

/** What the scheduler does on a store that works. */
export function schedulerSuite(test: TestFn, name: string, open: () => Promise<TestStore>): void {
  test(`${name}: a job runs at once and then at its interval`, async (t) => {
    const bench = await openJobBench(t, open);
    const often = counting('often');
    const seldom = counting('seldom', 3_600);
    const { scheduler } = await bench.start([often, seldom]);
    await until(() => often.runs >= 4, 'four runs');
    await scheduler.stop();
    t.is(seldom.runs, 1);
    t.is(await bench.store.interval('often'), shortSeconds * 1_000);
    t.is(await bench.store.interval('seldom'), 3_600_000);
  });

  test(`${name}: stopping aborts the signal of running jobs, leaves no job locked and no connection open`, async (t) => {
    const bench = await openJobBench(t, open);
    let hasBegun = false;
    let isAborted = false;
    const run: Job['run'] = async (signal) => {
      hasBegun = true;
      await pause(600_000, undefined, { signal }).catch(() => {});
      isAborted = signal.aborted;
    };
    const short = counting('short');
    const { scheduler, log } = await bench.start([{ name: 'long', everySeconds: 1, run }, short], { graceMs: 60_000 });
    await until(() => hasBegun && short.runs > 0, 'a run of each');
    t.true(bench.store.proxy.count() > 0);
    await scheduler.stop();
    t.true(isAborted);
    t.deepEqual((await bench.store.names()).locked, []);
    await until(() => bench.store.proxy.count() === 0, 'the end of the connections');
    t.deepEqual(withoutDelays(log), []);
    const before = short.runs;
    await pause(5 * shortSeconds * 1_000);
    t.is(short.runs, before);
  });

  test(`${name}: stopping at any moment leaves no job locked`, async (t) => {
    const bench = await openJobBench(t, open);
    const jobs = ['a', 'b', 'c', 'd'].map((each) => counting(each));
    for (let round = 0; round < 8; round += 1) {
      const { scheduler } = await bench.start(jobs, { graceMs: 60_000 });
      await pause(round * 10);
      await scheduler.stop();
      t.deepEqual((await bench.store.names()).locked, [], `round ${round}`);
    }
  });

  test(`${name}: stopping does not wait for the end of a job that ignores its signal`, async (t) => {
    const bench = await openJobBench(t, open);
    const { promise: neverEnds } = Promise.withResolvers<void>();
    let hasBegun = false;
    const run = () => {
      hasBegun = true;
      return neverEnds;
    };
    const { scheduler } = await bench.start([{ name: 'deaf', everySeconds: 1, run }]);
    await until(() => hasBegun, 'the run');
    await t.notThrowsAsync(scheduler.stop());
  });

  test(`${name}: a failing job is logged and runs again; a running job is not started twice`, async (t) => {
    const bench = await openJobBench(t, open);
    let failures = 0;
    const failing = async () => {
      failures += 1;
      throw new Error('broken on purpose');
    };
    const slow = overlapping('slow', () => failures);
    const { scheduler, log } = await bench.start([{ name: 'failing', everySeconds: shortSeconds, run: failing }, slow]);
    await until(() => slow.ended >= 2 && failures >= 3, 'three failures and two slow runs');
    await scheduler.stop();
    t.is(slow.peak, 1);
    t.true(log.length >= 3);
    t.true(withoutDelays(log).every((line) => line.includes('broken on purpose') && line.includes('"job":"failing"')));
  });

  test(`${name}: a job that runs longer than its lock is not started twice and does not hold up the others`, async (t) => {
    const bench = await openJobBench(t, open);
    const other = counting('other');
    const long = overlapping('long', () => other.runs, 16);
    const { scheduler, log } = await bench.start([long, other], { lockSeconds: 3 });
    await until(() => long.ended > 0, 'the end of a long run');
    await scheduler.stop();
    t.is(long.peak, 1);
    t.deepEqual(withoutDelays(log), []);
  });

  test(`${name}: processes that share a store run a job once per interval`, async (t) => {
    const bench = await openJobBench(t, open);
    const [here, there] = [counting('shared'), counting('shared')];
    const runs = () => here.runs + there.runs;
    const began = Date.now();
    const started = await Promise.all([here, there].map(async (job) => bench.start([job])));
    await until(() => runs() >= 12, 'twelve runs');
    await Promise.all(started.map(({ scheduler }) => scheduler.stop()));
    // Two schedulers that each ran it would have run it twice as often.
    const intervals = (Date.now() - began) / (shortSeconds * 1_000);
    t.true(runs() < 1.5 * intervals + 2, `${runs()} runs in ${intervals} intervals`);
    t.deepEqual((await bench.store.names()).all, ['shared']);
  });

  test(`${name}: four processes that start together on an empty store create one row per job`, async (t) => {
    const bench = await openJobBench(t, open);
    const processes = Array.from({ length: 4 }, () => bench.startProcess(['one', 'two']));
    const total = (job: string) => processes.reduce((sum, each) => sum + each.runs(job), 0);
    await until(() => total('one') >= 4 && total('two') >= 4, 'runs of both jobs');
    t.deepEqual((await bench.store.names()).all, ['one', 'two']);
    t.deepEqual(await Promise.all(processes.map((each) => each.end('SIGTERM'))), [0, 0, 0, 0]);
    t.deepEqual(withoutDelays(processes.flatMap((each) => each.log().split('\n'))), []);
    t.deepEqual((await bench.store.names()).locked, []);
  });

  test(`${name}: a process killed during a job keeps the job until its lock expires`, async (t) => {
    const bench = await openJobBench(t, open);
    const killed = bench.startProcess(['stuck', 'other'], { lockSeconds: 3 });
    await until(() => killed.runs('stuck') > 0, 'the run');
    const stuck = counting('stuck');
    const { log } = await bench.start([stuck, counting('other')], { lockSeconds: 3 });
    await killed.end('SIGKILL');
    await until(() => stuck.runs >= 2, 'runs in this process');
    t.is(killed.runs('stuck'), 1);
    t.deepEqual(withoutDelays(log), []);
  });

  test(`${name}: a frequent job that a killed process left locked runs again once the default lock of 5 s expires`, async (t) => {
    const bench = await openJobBench(t, open);
    const first = counting('orphaned');
    const { scheduler } = await bench.start([first]);
    await until(() => first.runs > 0, 'a run');
    await scheduler.stop();
    await bench.store.set('orphaned', 'lockedAt', new Date(Date.now() - 4_000));
    const second = counting('orphaned');
    await bench.start([second]);
    t.true(await until(() => second.runs > 0, 'a run after the lock'));
  });
}

/** A job whose runs last until a count has grown by some; counts how many of them ran at the same time. */
function overlapping(name: string, count: () => number, growth = 3) {
  let running = 0;
  const job = {
    name,
    everySeconds: shortSeconds,
    ended: 0,
    peak: 0,
    run: async (signal: AbortSignal) => {
      job.peak = Math.max(job.peak, (running += 1));
      const start = count();
      await until(() => signal.aborted || count() >= start + growth, `the end of ${name}`);
      running -= 1;
      job.ended += 1;
    },
  };
  return job;
}
