import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@runward/testing/until';
import test from 'ava';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { countLater } from '../../src/limits/count-together.ts';

const points = 100;

/** A store, and processes that count in it. */
function openStore({ processes = 1, delayMs = (): number | null => null } = {}) {
  const store = new RateLimiterMemory({ points, duration: 60 });
  let calls = 0;
  const countSeveral = async (key: string, count: number) => {
    calls += 1;
    const delay = delayMs();
    if (delay !== null) await sleep(delay);
    return store.consume(key, count);
  };
  return {
    counters: Array.from({ length: processes }, () => countLater(points, countSeveral)),
    counted: async () => (await store.get('key'))?.consumedPoints ?? 0,
    calls: () => calls,
  };
}

type Counter = ReturnType<typeof countLater>;

async function remaining(count: Counter, requests: number): Promise<number[]> {
  const left: number[] = [];
  for (let request = 0; request < requests; request += 1) left.push((await count('key')).remainingPoints);
  return left;
}

const descending = (from: number, length: number) => Array.from({ length }, (_, index) => from - index);

test('far from the limit, the store counts several requests at once, after they were accepted', async (t) => {
  const { counters, counted, calls } = openStore();
  const [count] = counters as [Counter];
  t.deepEqual(await remaining(count, 40), descending(99, 40), 'each has its own number');
  t.true(calls() < 20, 'each call counts up to eleven requests');
  await until(async () => (await counted()) === 40, 'the store to count all of them');
});

test('from half of the limit on, a request is accepted after it was counted', async (t) => {
  const { counters, counted } = openStore();
  const [count] = counters as [Counter];
  await remaining(count, 55);
  for (let number = 56; number <= points; number += 1) {
    t.is((await count('key')).consumedPoints, number);
    t.is(await counted(), number);
  }
  await t.throwsAsync(count('key'), { any: true, instanceOf: RateLimiterRes });
});

test('several processes together accept exactly as many requests as the limit allows', async (t) => {
  const { counters } = openStore({ processes: 4 });
  let accepted = 0;
  for (let turn = 0; turn < points; turn += 1) {
    const spent = await Promise.allSettled(counters.map((count) => count('key')));
    accepted += spent.filter(({ status }) => status === 'fulfilled').length;
  }
  t.is(accepted, points);
});

test('each request is counted once, however long the store takes for the others', async (t) => {
  for (let time = 0; time < 20; time += 1) {
    const { counters, counted } = openStore({ delayMs: () => Math.random() * 5 });
    const [count] = counters as [Counter];
    const requests = Array.from({ length: 90 }, async () => {
      await sleep(Math.random() * 30);
      await count('key');
    });
    await Promise.all(requests);
    await until(async () => (await counted()) >= 90, 'the store to count all of them');
    t.is(await counted(), 90);
  }
});

test('what was accepted before the end of a window is not counted in the next', async (t) => {
  const windowMs = 90;
  let calls = 0;
  const count = countLater(points, async () => {
    calls += 1;
    return new RateLimiterRes(points - 1, windowMs, 1, true);
  });
  // If the window ends meanwhile, because the machine is busy, the store is asked again.
  do {
    calls = 0;
    await sleep(2 * windowMs);
    await remaining(count, 5);
  } while (calls > 1);
  await sleep(3 * windowMs);
  t.is(calls, 1);
});
