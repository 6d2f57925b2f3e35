import { setTimeout as pause } from 'node:timers/promises';
import type { TestFn } from 'ava';
import { counting, openJobBench } from './scheduler-bench.ts';
import type { TestStore } from './job-stores.ts';
import { until } from '@runward/testing/until';

const failed = (line: string) => line.includes('job store unreachable');
const wentOn = (line: string) => line.includes('job store reachable again; scheduling resumed');

/** What jobs do on a store that goes away and comes back. */
export function jobOutageSuite(test: TestFn, name: string, open: () => Promise<TestStore>): void {
  test(`${name}: terminated connections are survived`, async (t) => {
    const bench = await openJobBench(t, open);
    const task = counting('surviving');
    await bench.start([task]);
    for (let round = 0; round < 5; round += 1) {
      const before = task.times.length;
      await until(() => task.times.length > before, 'a run');
      // At another moment of the clock's second each time.
      await pause(round * 150);
      await bench.store.terminate();
    }
    const before = task.times.length;
    await until(() => task.times.length > before + 1, 'runs after the loss');
    t.pass();
  });

  test(`${name}: the clock outlives a store that is away for 3 s, and logs that once`, async (t) => {
    const bench = await openJobBench(t, open);
    const tasks = ['a', 'b', 'c', 'd'].map((each) => counting(each));
    const { log } = await bench.start(tasks);
    await until(() => tasks.every(({ times }) => times.length > 0), 'a run of each');
    for (let round = 0; round < 2; round += 1) {
      bench.store.proxy.cut();
      await until(() => log.filter(failed).length > round, 'the failure');
      await pause(3_000);
      bench.store.proxy.restore();
      const before = tasks.map(({ times }) => times.length);
      const went = () => tasks.every(({ times }, index) => times.length > (before[index] ?? 0) + 1);
      await until(went, 'every task', 20);
      await until(() => log.filter(wentOn).length > round, 'the end of the outage');
      t.is(log.filter(failed).length, round + 1, log.join(''));
    }
  });

  test(`${name}: the clock outlives a store that hangs`, async (t) => {
    const bench = await openJobBench(t, open);
    const task = counting('hanging');
    const { log } = await bench.start([task]);
    await until(() => task.times.length > 0, 'a run');
    bench.store.proxy.freeze();
    await until(() => log.some(failed), 'the failure', 20);
    bench.store.proxy.restore();
    const before = task.times.length;
    await until(() => task.times.length > before + 1, 'runs afterwards', 20);
    t.is(log.filter(failed).length, 1, log.join(''));
  });

  test(`${name}: a store that comes back empty gets its rows again, the seldom ones too`, async (t) => {
    const bench = await openJobBench(t, open);
    const tasks = [counting('often'), counting('seldom', 3_600)] as const;
    const [often, seldom] = tasks;
    const { log } = await bench.start(tasks);
    await until(() => tasks.every(({ times }) => times.length > 0), 'a run of each');
    bench.store.proxy.cut();
    await until(() => log.some(failed), 'the failure');
    await bench.store.clear();
    bench.store.proxy.restore();
    const before = often.times.length;
    await until(() => often.times.length > before + 1 && seldom.times.length === 2, 'a run of each', 20);
    t.deepEqual((await bench.store.names()).all, ['often', 'seldom']);
  });

  test(`${name}: a time far ahead, from a clock that was wrong, does not stop the task`, async (t) => {
    const bench = await openJobBench(t, open);
    const task = counting('far');
    await bench.start([task]);
    for (const time of ['nextRunAt', 'lockedAt'] as const) {
      const start = task.times.length;
      await until(() => task.times.length > start, 'a run');
      // A run that is just ending would write its own time over this one.
      await pause(300);
      await bench.store.set('far', time, new Date(Date.now() + 86_400_000));
      const before = task.times.length;
      await until(() => task.times.length > before + 2, `runs despite ${time}`, 20);
    }
    t.pass();
  });

  test(`${name}: a lock whose answer was lost on the way is taken back long before it runs out`, async (t) => {
    const bench = await openJobBench(t, open);
    const task = counting('locked');
    await bench.start([task], { lockSeconds: 120 });
    await until(() => task.times.length > 0, 'a run');
    await pause(300);
    // The row still names the process that locked it last.
    await bench.store.set('locked', 'lockedAt', new Date());
    const before = task.times.length;
    await until(() => task.times.length > before + 1, 'runs', 30);
    t.pass();
  });

  test(`${name}: without a store the clock starts when the store does, and can be stopped before`, async (t) => {
    const bench = await openJobBench(t, open);
    bench.store.proxy.cut();
    const task = counting('late');
    const { log } = await bench.start([task]);
    const { jobs: stopped } = await bench.start([]);
    const begin = performance.now();
    await stopped.stop();
    t.true(performance.now() - begin < 4_000);
    await pause(3_000);
    t.is(log.filter(failed).length, 1, log.join(''));
    t.is(task.times.length, 0);
    bench.store.proxy.restore();
    await until(() => task.times.length > 1, 'runs', 15);
    t.true(log.some(wentOn));
  });

  test(`${name}: a process lives through an outage and stops while one lasts`, async (t) => {
    const bench = await openJobBench(t, open);
    const child = bench.startProcess(['one', 'two']);
    await until(() => child.runs('one') > 0 && child.runs('two') > 0, 'a run of each', 30);
    bench.store.proxy.cut();
    await until(() => failed(child.log()), 'the failure');
    await pause(3_000);
    bench.store.proxy.restore();
    const before = child.runs('one');
    await until(() => child.runs('one') > before + 1, 'runs afterwards');
    bench.store.proxy.cut();
    await pause(1_500);
    const begin = performance.now();
    t.is(await child.end('SIGTERM'), 0, child.log());
    t.true(performance.now() - begin < 8_000);
  });
}
