import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { sharedReads } from '../../src/database/shared-read.ts';

test('no result is older than its call, and concurrent calls share a read', async (t) => {
  let truth = 0;
  let loads = 0;
  const reads = sharedReads<number>();
  const load = async () => {
    loads += 1;
    const seen = truth;
    await pause(5);
    return seen;
  };
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      await pause(index % 40);
      const asked = (truth += 1);
      t.true((await reads('key', load)) >= asked);
    }),
  );
  t.true(loads < 40, `${loads} reads for 200 calls`);
});

test('reads of different keys are independent, and a failure affects only the calls that share it', async (t) => {
  let failures = 1;
  const reads = sharedReads<string>();
  const load = async (key: string) => {
    await pause(5);
    if (failures > 0) {
      failures -= 1;
      throw new Error('no');
    }
    return key;
  };
  const ask = async (key: string) => reads(key, async () => load(key));
  const first = ask('a');
  const second = ask('a');
  await t.throwsAsync(first, { message: 'no' });
  t.is(await second, 'a');
  t.is(await ask('b'), 'b');
  t.is(await ask('a'), 'a');
});
