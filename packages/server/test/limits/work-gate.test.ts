import { defaultLimits } from '@runward/contract';
import test from 'ava';
import { array, assert, asyncProperty, constantFrom, infiniteStream, nat } from 'fast-check';
import { ApiError } from '../../src/api-error.ts';
import type { Release } from '../../src/limits/turns.ts';
import { createWorkGate } from '../../src/limits/work-gate.ts';

const gateOf = (limits: Partial<typeof defaultLimits>) => createWorkGate({ ...defaultLimits, ...limits });

/** Begins a request and says whether it has begun. */
function begin(gate: ReturnType<typeof gateOf>, name: string, kind: 'begin' | 'beginLarge' = 'begin') {
  const request = { name, hasBegun: false, release: (() => {}) as Release };
  const begun = gate[kind](name).then((release) => Object.assign(request, { hasBegun: true, release }));
  return Object.assign(request, { begun });
}

const settle = async () => new Promise((resolve) => setImmediate(resolve));

test('a request waits while its organization has as much in work as it may, and begins when another ends', async (t) => {
  const gate = gateOf({ requestsInWork: 2 });
  const [first, second, third] = [begin(gate, 'a'), begin(gate, 'a'), begin(gate, 'a')];
  await settle();
  t.deepEqual([first.hasBegun, second.hasBegun, third.hasBegun], [true, true, false]);
  first.release();
  first.release();
  const fourth = begin(gate, 'a');
  await settle();
  t.deepEqual([third.hasBegun, fourth.hasBegun], [true, false]);
});

test('requests of another organization begin while the first has as much in work as it may', async (t) => {
  const gate = gateOf({ requestsInWork: 1 });
  begin(gate, 'a');
  begin(gate, 'a');
  const other = begin(gate, 'b');
  await settle();
  t.true(other.hasBegun);
});

test('a large request waits for another one of its organization twice as long as that took, and for no small one', async (t) => {
  const gate = gateOf({ requestsInWork: 1, largeRequestsInWork: 1 });
  begin(gate, 'a');
  const [first, second, other] = [
    begin(gate, 'a', 'beginLarge'),
    begin(gate, 'a', 'beginLarge'),
    begin(gate, 'b', 'beginLarge'),
  ];
  await settle();
  t.deepEqual([first.hasBegun, second.hasBegun, other.hasBegun], [true, false, true]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  first.release();
  const ended = performance.now();
  await settle();
  t.false(second.hasBegun);
  await second.begun;
  t.true(performance.now() - ended >= 190);
});

test('a request is rejected with 429 if as many of its organization wait as may', async (t) => {
  const gate = gateOf({ requestsInWork: 1, requestsWaiting: 1 });
  begin(gate, 'a');
  begin(gate, 'a');
  const rejection = await t.throwsAsync<ApiError>(gate.begin('a'), { instanceOf: ApiError });
  t.is(rejection.status, 429);
  t.is(rejection.extra.retryAfter, 1);
  await t.notThrowsAsync(gate.begin('b'));
});

test('a body is rejected with 429 if its organization is sending too much with it, and a larger one is accepted alone', (t) => {
  const gate = gateOf({ receivingBytes: 100 });
  const release = gate.receive('a', 101);
  t.is(t.throws<ApiError>(() => gate.receive('a', 1), { instanceOf: ApiError }).status, 429);
  t.notThrows(() => gate.receive('b', 60));
  t.throws(() => gate.receive('b', 41));
  release();
  t.notThrows(() => gate.receive('a', 60));
});

test('an empty body that was announced before others began does not keep those that wait from beginning', async (t) => {
  const gate = gateOf({ requestsInWork: 1 });
  const first = begin(gate, 'a');
  await settle();
  const received = gate.receive('a', 0);
  first.release();
  const [second, third] = [begin(gate, 'a'), begin(gate, 'a')];
  await settle();
  received();
  second.release();
  await settle();
  t.true(third.hasBegun);
});

test('a transfer is rejected with 429 while as many of its organization are in progress as may be', (t) => {
  const gate = gateOf({ streams: 1 });
  const release = gate.stream('a');
  t.is(t.throws<ApiError>(() => gate.stream('a'), { instanceOf: ApiError }).status, 429);
  t.notThrows(() => gate.stream('b'));
  release();
  t.notThrows(() => gate.stream('a'));
});

test('whatever begins and ends in whatever order, no limit is exceeded and every request begins in the end', async (t) => {
  const names = Array.from({ length: 12 }, (_, index) => String(index));
  const limit = 2;
  await assert(
    asyncProperty(array(constantFrom(...names), { maxLength: 100 }), infiniteStream(nat()), async (steps, choices) => {
      const gate = gateOf({ requestsInWork: limit });
      const requests = steps.map((name) => begin(gate, name));
      const inWork = new Set<(typeof requests)[number]>();
      for (let ended = 0; ended < requests.length; ended += 1) {
        await settle();
        for (const request of requests) if (request.hasBegun && !doneOf.has(request)) inWork.add(request);
        const used = (name?: string) =>
          [...inWork].filter((request) => name === undefined || request.name === name).length;
        t.true(used() <= limit * 8);
        for (const { name } of inWork) t.true(used(name) <= limit);
        t.true(inWork.size > 0);
        const chosen = [...inWork][(choices.next().value ?? 0) % inWork.size];
        if (!chosen) continue;
        inWork.delete(chosen);
        doneOf.add(chosen);
        chosen.release();
      }
      t.is(inWork.size, 0);
      const orders = Map.groupBy(requests, ({ name }) => name);
      for (const some of orders.values()) t.true(some.every(({ hasBegun }) => hasBegun));
    }),
    { numRuns: 50 },
  );
});

const doneOf = new WeakSet<object>();
