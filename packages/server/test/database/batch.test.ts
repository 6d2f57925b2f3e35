import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import * as fc from 'fast-check';
import { batch, batchByKey } from '../../src/database/batch.ts';

/** Answers each number with its double, in its own time, and records what it was called with. */
function doubling({ atATime, most }: { atATime: number; most: number }) {
  const statements: (readonly number[])[] = [];
  let running = 0;
  let mostRunning = 0;
  const call = batch<number, number>(
    async (calls) => {
      statements.push(calls);
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await pause(calls.length % 3);
      running -= 1;
      if (calls.some((value) => value < 0)) throw new Error(`${calls.join(', ')} has a negative number.`);
      return calls.map((value) => 2 * value);
    },
    { atATime, most, retriesAlone: () => true },
  );
  return { call, statements, mostRunning: () => mostRunning };
}

test('calls of one turn of the event loop share a statement, and a call on its own has one for itself', async (t) => {
  const { call, statements } = doubling({ atATime: 2, most: 50 });
  t.deepEqual(await Promise.all([1, 2, 3].map(call)), [2, 4, 6]);
  t.is(await call(4), 8);
  t.deepEqual(statements, [[1, 2, 3], [4]]);
});

test('each call gets its own answer, whatever arrives meanwhile and however many share a statement', async (t) => {
  const arrivals = fc.array(fc.tuple(fc.nat(1_000), fc.nat(3)), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      arrivals,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (calls, atATime, most) => {
        const { call, statements, mostRunning } = doubling({ atATime, most });
        const answers = calls.map(async ([value, delay]) => {
          await pause(delay);
          return call(value);
        });
        t.deepEqual(
          await Promise.all(answers),
          calls.map(([value]) => 2 * value),
        );
        t.true(mostRunning() <= atATime && statements.every(({ length }) => length <= most));
        t.is(statements.flat().length, calls.length);
      },
    ),
    { numRuns: 30 },
  );
});

test('a call that fails does not fail those that share its statement', async (t) => {
  const { call } = doubling({ atATime: 1, most: 50 });
  const outcomes = await Promise.allSettled([1, -1, 2].map(call));
  t.deepEqual(outcomes[0], { status: 'fulfilled', value: 2 });
  t.deepEqual(outcomes[2], { status: 'fulfilled', value: 4 });
  const [, failed] = outcomes;
  t.is(failed?.status === 'rejected' && (failed.reason as Error).message, '-1 has a negative number.');
  t.is(await call(3), 6);
});

test('calls of a failed batch are only repeated after the errors that are given, and beside other batches', async (t) => {
  const performed: (readonly string[])[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const call = batch<string, string>(
    async (calls) => {
      performed.push(calls);
      if (calls.length > 1) throw new Error(calls.join());
      if (calls[0] === 'slow') await answered;
      return calls;
    },
    { atATime: 1, retriesAlone: (error) => !String(error).includes('lost') },
  );
  const lost = await Promise.allSettled(['lost', 'other'].map(call));
  t.deepEqual([...new Set(lost.map(({ status }) => status))], ['rejected']);
  const slow = ['slow', 'fast'].map(call);
  t.is(await slow[1], 'fast');
  t.is(await call('later'), 'later');
  answer();
  t.is(await slow[0], 'slow');
  t.deepEqual(performed, [['lost', 'other'], ['slow', 'fast'], ['slow'], ['fast'], ['later']]);
});

/** Reads of equal keys share one. */
function sharedReads<Result>() {
  return batchByKey<() => Promise<Result>, Result>(async (_key, reads) => {
    const result = (await reads[0]?.()) as Result;
    return reads.map(() => result);
  });
}

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
  const other = ask('b');
  for (const failed of [first, second]) await t.throwsAsync(failed, { message: 'no' });
  t.is(await other, 'b');
  t.is(await ask('b'), 'b');
  t.is(await ask('a'), 'a');
});
