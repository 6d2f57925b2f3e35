import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@runward/testing/until';
import type { TestFn } from 'ava';
import { counting, openJobBench, pollMs } from './bench.ts';
import type { TestStore } from './job-stores.ts';

const failed = (line: string) => line.includes('job store unreachable');
const wentOn = (line: string) => line.includes('job store reachable again; scheduling resumed');
/** Long enough for several attempts to reach the store. */
const outageMs = 6 * pollMs;

/**
 * Whether the log has one line for the beginning of each outage and one for its end. A slow machine can cause more
 * outages.
 */
function areLoggedOnce(log: readonly string[]): boolean {
  const lines = log.filter((line) => failed(line) || wentOn(line));
  return lines.every((line, index) => (index % 2 === 0 ? failed(line) : wentOn(line)));
}

/** What the scheduler does on a store that goes away and comes back. */
export function schedulerOutageSuite(test: TestFn, name: string, open: () => Promise<TestStore>): void {
  test(`${name}: jobs run on after their connections were terminated`, async (t) => {
    const bench = await openJobBench(t, open);
    const job = counting('surviving');
    await bench.start([job]);
    for (let round = 0; round < 5; round += 1) {
      const before = job.runs;
      await until(() => job.runs > before, 'a run');
      // At a different point of the interval each time.
      await pause((round * pollMs) / 5);
      await bench.store.terminate();
    }
    const before = job.runs;
    t.true(await until(() => job.runs > before + 1, 'runs after the loss'));
  });

  test(`${name}: every job runs again after an outage of the store, whose beginning and end are logged once`, async (t) => {
    const bench = await openJobBench(t, open);
    const jobs = ['a', 'b', 'c', 'd'].map((each) => counting(each));
    const { log } = await bench.start(jobs);
    await until(() => jobs.every(({ runs }) => runs > 0), 'a run of each');
    for (let round = 0; round < 2; round += 1) {
      bench.store.proxy.cut();
      const outages = log.filter(wentOn).length;
      await until(() => log.filter(failed).length > outages, 'the failure');
      await pause(outageMs);
      bench.store.proxy.restore();
      const before = jobs.map(({ runs }) => runs);
      await until(() => jobs.every(({ runs }, index) => runs > (before[index] ?? 0) + 1), 'every job');
      await until(() => log.filter(wentOn).length > outages, 'the end of the outage');
      t.true(areLoggedOnce(log), log.join(''));
    }
  });

  test(`${name}: jobs run again after the store did not respond for some seconds`, async (t) => {
    const bench = await openJobBench(t, open);
    const job = counting('hanging');
    const { log } = await bench.start([job]);
    await until(() => job.runs > 0, 'a run');
    bench.store.proxy.freeze();
    await until(() => log.some(failed), 'the failure');
    bench.store.proxy.restore();
    const before = job.runs;
    await until(() => job.runs > before + 1, 'runs afterwards');
    t.true(areLoggedOnce(log), log.join(''));
  });

  test(`${name}: a store that comes back empty gets the rows of all jobs again`, async (t) => {
    const bench = await openJobBench(t, open);
    const [often, seldom] = [counting('often'), counting('seldom', 3_600)];
    const { log } = await bench.start([often, seldom]);
    await until(() => often.runs > 0 && seldom.runs > 0, 'a run of each');
    bench.store.proxy.cut();
    await until(() => log.some(failed), 'the failure');
    await bench.store.clear();
    bench.store.proxy.restore();
    const before = often.runs;
    await until(() => often.runs > before + 1 && seldom.runs === 2, 'a run of each');
    t.deepEqual((await bench.store.names()).all, ['often', 'seldom']);
  });

  test(`${name}: a time far in the future, written by a wrong clock, does not stop the job`, async (t) => {
    const bench = await openJobBench(t, open);
    const job = counting('far');
    await bench.start([job]);
    for (const time of ['nextRunAt', 'lockedAt'] as const) {
      const start = job.runs;
      await until(() => job.runs > start, 'a run');
      // The end of a run would overwrite it.
      await pause(pollMs / 2);
      await bench.store.set('far', time, new Date(Date.now() + 86_400_000));
      const before = job.runs;
      t.true(await until(() => job.runs > before + 2, `runs despite ${time}`));
    }
  });

  test(`${name}: a lock whose confirmation was lost is released long before it expires`, async (t) => {
    const bench = await openJobBench(t, open);
    const job = counting('locked');
    // Agenda keeps a timer for half of it, which keeps this process from ending.
    const lockSeconds = 12;
    await bench.start([job], { lockSeconds });
    await until(() => job.runs > 0, 'a run');
    await pause(pollMs / 2);
    // The row still names the process that locked it last.
    await bench.store.set('locked', 'lockedAt', new Date());
    const before = job.runs;
    t.true(await until(() => job.runs > before + 1, 'runs before the lock expires', lockSeconds - 2));
  });

  test(`${name}: a scheduler started without its store runs jobs once the store is there, and can be stopped before`, async (t) => {
    const bench = await openJobBench(t, open);
    bench.store.proxy.cut();
    const job = counting('late');
    const { log } = await bench.start([job]);
    const { scheduler: stopped } = await bench.start([]);
    await stopped.stop();
    await pause(outageMs);
    t.is(log.filter(failed).length, 1, log.join(''));
    t.is(job.runs, 0);
    bench.store.proxy.restore();
    await until(() => job.runs > 1, 'runs');
    t.true(log.some(wentOn));
  });

  test(`${name}: a process survives an outage of the store, and stops during one with code 0`, async (t) => {
    const bench = await openJobBench(t, open);
    const child = bench.startProcess(['one', 'two']);
    await until(() => child.runs('one') > 0 && child.runs('two') > 0, 'a run of each');
    bench.store.proxy.cut();
    await until(() => failed(child.log()), 'the failure');
    await pause(outageMs);
    bench.store.proxy.restore();
    const before = child.runs('one');
    await until(() => child.runs('one') > before + 1, 'runs afterwards');
    bench.store.proxy.cut();
    await pause(outageMs);
    t.is(await child.end('SIGTERM'), 0, child.log());
  });
}
