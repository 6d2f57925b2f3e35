import { randomUUID } from 'node:crypto';
import { until } from '@runward/testing/until';
import test from 'ava';
import { countInMemory } from '../../src/limits/rate-limit.ts';
import { sharedCounters } from '../../src/limits/shared-counter.ts';
import { createLog } from '../../src/telemetry/log.ts';

const points = 20;

test('requests wait for a stalled store once, and not at all until it responds again', async (t) => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const said = (what: string) => lines.filter((line) => line.includes(what)).length;
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  let isStalled = false;
  let calls = 0;
  const counters = sharedCounters({ name: 'Store', timeoutMs: 200, log }, ({ keyPrefix }) => {
    const memory = countInMemory(keyPrefix, points);
    const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      calls += 1;
      if (isStalled) await response;
      return work();
    };
    return {
      points,
      consume: (key, count) => call(() => memory.consume(key, count)),
      get: (key) => call(() => memory.get(key)),
      reward: (key) => call(() => memory.reward(key)),
    };
  });
  const counter = counters('test', points);
  const key = randomUUID();
  const count = async () => (await counter.consume(key)).remainingPoints;
  t.is(await count(), 19);

  isStalled = true;
  t.deepEqual(await Promise.all([count(), count(), count()]), [19, 18, 17], 'counted in memory, each once');
  t.is(calls, 2, 'those that arrived later did not ask the store again');
  t.is(said('Store unreachable'), 1);
  t.deepEqual(await Promise.all([count(), count()]), [16, 15]);
  t.is((await counter.get(key))?.remainingPoints, 15);
  t.is(calls, 3, 'one asks whether the store responds, and no request waits for that');

  isStalled = false;
  respond();
  await until(() => said('Store reachable again') === 1, 'the store to be found again');
  t.is(await count(), 15, 'the store has counted all that it was sent');
});
