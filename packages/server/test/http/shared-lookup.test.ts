import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { sharedLookup } from '../../src/http/shared-lookup.ts';

test('no result is older than its call, and concurrent calls share a lookup', async (t) => {
  let truth = 0;
  let loads = 0;
  const ask = sharedLookup(async () => {
    loads += 1;
    const seen = truth;
    await pause(5);
    return seen;
  });
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      await pause(index % 40);
      const asked = (truth += 1);
      t.true((await ask('key')) >= asked);
    }),
  );
  t.true(loads < 40, `${loads} look-ups for 200 questions`);
});

test('lookups of different keys are independent, and a failure affects only the calls that share it', async (t) => {
  let failures = 1;
  const ask = sharedLookup(async (key) => {
    await pause(5);
    if (failures > 0) {
      failures -= 1;
      throw new Error('no');
    }
    return key;
  });
  const first = ask('a');
  const second = ask('a');
  await t.throwsAsync(first, { message: 'no' });
  t.is(await second, 'a');
  t.is(await ask('b'), 'b');
  t.is(await ask('a'), 'a');
});
