import { setTimeout as pause } from 'node:timers/promises';
import type { TestFn } from 'ava';
import type { Job } from '../../src/scheduler/scheduler.ts';
import { counting, openJobBench } from './scheduler-bench.ts';
import type { TestStore } from './job-stores.ts';
import { until } from '@runward/testing/until';

/** What jobs do on a store that works. */
export function jobSuite(test: TestFn, name: string, open: () => Promise<TestStore>): void {
  test(`${name}: a task runs at once and then as often as it says`, async (t) => {
    const bench = await openJobBench(t, open);
    const often = counting('often');
    const seldom = counting('seldom', 3_600);
    const { jobs } = await bench.start([often, seldom]);
    await until(() => often.times.length >= 4, 'four runs');
    await jobs.stop();
    const [first = 0, , , fourth = 0] = often.times;
    t.true(fourth - first > 2_000 && fourth - first < 6_000, `${fourth - first} ms`);
    t.is(seldom.times.length, 1);
  });

  test(`${name}: stopping ends tasks by their signal, leaves no job locked and no connection open`, async (t) => {
    const bench = await openJobBench(t, open);
    let begun = false;
    let told = false;
    const run: Job['run'] = async (signal) => {
      begun = true;
      await pause(60_000, undefined, { signal }).catch(() => {});
      told = signal.aborted;
    };
    const short = counting('short');
    const { jobs, log } = await bench.start([{ name: 'long', everySeconds: 1, run }, short]);
    await until(() => begun && short.times.length > 0, 'a run of each');
    t.true(bench.store.proxy.count() > 0);
    const begin = performance.now();
    await jobs.stop();
    t.true(performance.now() - begin < 2_000);
    t.true(told);
    t.deepEqual((await bench.store.names()).locked, []);
    await until(() => bench.store.proxy.count() === 0, 'the end of the connections');
    t.deepEqual(log, []);
    const before = short.times.length;
    await pause(1_200);
    t.is(short.times.length, before);
  });

  test(`${name}: stopping at any moment leaves no job locked`, async (t) => {
    const bench = await openJobBench(t, open);
    const tasks = ['a', 'b', 'c', 'd'].map((each) => counting(each));
    for (let round = 0; round < 8; round += 1) {
      const { jobs } = await bench.start(tasks);
      await pause(round * 30);
      await jobs.stop();
      t.deepEqual((await bench.store.names()).locked, [], `round ${round}`);
    }
  });

  test(`${name}: a task that does not hear the signal delays stopping by two seconds only`, async (t) => {
    const bench = await openJobBench(t, open);
    let started = false;
    const run = async () => {
      started = true;
      await pause(8_000, undefined, { ref: false });
    };
    const { jobs } = await bench.start([{ name: 'deaf', everySeconds: 1, run }]);
    await until(() => started, 'the run');
    const begin = performance.now();
    await jobs.stop();
    t.true(performance.now() - begin < 4_000);
  });

  test(`${name}: a failing task is logged and runs again; one under way is not started twice`, async (t) => {
    const bench = await openJobBench(t, open);
    let failures = 0;
    let now = 0;
    let peak = 0;
    const failing = async () => {
      failures += 1;
      throw new Error('broken on purpose');
    };
    const slow: Job['run'] = async (signal) => {
      peak = Math.max(peak, (now += 1));
      await pause(2_500, undefined, { signal }).catch(() => {});
      now -= 1;
    };
    const { jobs, log } = await bench.start([
      { name: 'failing', everySeconds: 1, run: failing },
      { name: 'slow', everySeconds: 1, run: slow },
    ]);
    await until(() => failures >= 3, 'three failures');
    await jobs.stop();
    t.is(peak, 1);
    t.true(log.every((line) => line.includes('broken on purpose') && line.includes('"job":"failing"')));
  });

  test(`${name}: a task that outlives its lock is not started twice, and the others go on`, async (t) => {
    const bench = await openJobBench(t, open);
    let now = 0;
    let peak = 0;
    let ended = 0;
    const run: Job['run'] = async (signal) => {
      peak = Math.max(peak, (now += 1));
      await pause(5_000, undefined, { signal }).catch(() => {});
      now -= 1;
      ended += 1;
    };
    const other = counting('other');
    const { jobs, log } = await bench.start([{ name: 'long', everySeconds: 1, run }, other], { lockSeconds: 3 });
    await until(() => ended >= 2, 'two long runs', 30);
    await jobs.stop();
    t.is(peak, 1);
    t.true(other.times.length >= 5, `${other.times.length} runs`);
    t.deepEqual(log, []);
  });

  test(`${name}: several processes share the clock`, async (t) => {
    const bench = await openJobBench(t, open);
    const [here, there] = [counting('shared', 2), counting('shared', 2)];
    const runs = () => here.times.length + there.times.length;
    const started = await Promise.all([bench.start([here]), bench.start([there])]);
    await until(() => runs() > 0, 'a run');
    await pause(3_500);
    await Promise.all(started.map(({ jobs }) => jobs.stop()));
    t.true(runs() >= 2 && runs() <= 4, `${runs()} runs`);
    t.deepEqual((await bench.store.names()).all, ['shared']);
  });

  test(`${name}: four processes start at once on an empty store and make one row per task`, async (t) => {
    const bench = await openJobBench(t, open);
    const processes = Array.from({ length: 4 }, () => bench.startProcess(['one', 'two']));
    const total = (task: string) => processes.reduce((sum, each) => sum + each.runs(task), 0);
    await until(() => total('one') >= 4 && total('two') >= 4, 'runs of both tasks', 30);
    t.deepEqual((await bench.store.names()).all, ['one', 'two']);
    t.deepEqual(await Promise.all(processes.map((each) => each.end('SIGTERM'))), [0, 0, 0, 0]);
    t.is(processes.map((each) => each.log()).join(''), '');
    t.deepEqual((await bench.store.names()).locked, []);
  });

  test(`${name}: a process killed in the middle of a task keeps it until its lock runs out`, async (t) => {
    const bench = await openJobBench(t, open);
    const killed = bench.startProcess(['stuck', 'other'], { lockSeconds: 4 });
    await until(() => killed.runs('stuck') > 0, 'the run', 30);
    const stuck = counting('stuck');
    const { log } = await bench.start([stuck, counting('other')], { lockSeconds: 4 });
    await killed.end('SIGKILL');
    await until(() => stuck.times.length >= 2, 'runs here', 20);
    t.deepEqual(log, []);
  });

  test(`${name}: what comes every second goes on within seconds where a killed process left it locked`, async (t) => {
    const bench = await openJobBench(t, open);
    const first = counting('orphaned');
    const { jobs } = await bench.start([first]);
    await until(() => first.times.length > 0, 'a run');
    await jobs.stop();
    await bench.store.set('orphaned', 'lockedAt', new Date());
    const second = counting('orphaned');
    await bench.start([second]);
    await until(() => second.times.length > 0, 'a run after the lock', 12);
    t.pass();
  });
}
