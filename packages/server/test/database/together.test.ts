import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import * as fc from 'fast-check';
import { together } from '../../src/database/together.ts';

/** Answers each number with its double, in its own time, and records what it was called with. */
function doubling({ atATime, most }: { atATime: number; most: number }) {
  const statements: (readonly number[])[] = [];
  let running = 0;
  let mostRunning = 0;
  const call = together<number, number>(
    async (calls) => {
      statements.push(calls);
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await pause(calls.length % 3);
      running -= 1;
      if (calls.some((value) => value < 0)) throw new Error(`${calls.join(', ')} has a negative number.`);
      return calls.map((value) => 2 * value);
    },
    { atATime, most },
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
