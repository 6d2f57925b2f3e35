import { defaultLimits } from '@runward/contract';
import test from 'ava';
import { array, assert, asyncProperty, constantFrom, infiniteStream, nat, record } from 'fast-check';
import { ApiError } from '../../src/api-error.ts';
import { createWorkGate, requestAdmission, type Release } from '../../src/limits/work-gate.ts';

const gateOf = (limits: Partial<typeof defaultLimits>) =>
  createWorkGate({ ...defaultLimits, ...limits }, { ...requestAdmission, fullShares: 4 });

/** Begins a request and says whether it has begun. */
function begin(gate: ReturnType<typeof gateOf>, name: string, weight = 1) {
  const request = { name, weight, hasBegun: false, release: (() => {}) as Release };
  const begun = gate.begin(name, weight).then((release) => Object.assign(request, { hasBegun: true, release }));
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

test('a request that counts more than the limit begins alone', async (t) => {
  const gate = gateOf({ requestsInWork: 2 });
  const small = begin(gate, 'a');
  const large = begin(gate, 'a', 4);
  await settle();
  t.false(large.hasBegun);
  small.release();
  await settle();
  t.true(large.hasBegun);
});

test('a request is rejected with 429 if as many of its organization wait as may', async (t) => {
  const gate = gateOf({ requestsInWork: 1, requestsWaiting: 1 });
  begin(gate, 'a');
  begin(gate, 'a');
  const rejection = await t.throwsAsync<ApiError>(gate.begin('a', 1), { instanceOf: ApiError });
  t.is(rejection.status, 429);
  t.is(rejection.extra.retryAfter, 1);
  await t.notThrowsAsync(gate.begin('b', 1));
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
  const step = record({ name: constantFrom('a', 'b', 'c', 'd', 'e', 'f'), weight: constantFrom(1, 4) });
  const limit = 4;
  await assert(
    asyncProperty(array(step, { maxLength: 60 }), infiniteStream(nat()), async (steps, choices) => {
      const gate = gateOf({ requestsInWork: limit });
      const requests = steps.map(({ name, weight }) => begin(gate, name, weight));
      const inWork = new Set<(typeof requests)[number]>();
      for (let ended = 0; ended < requests.length; ended += 1) {
        await settle();
        for (const request of requests) if (request.hasBegun && !doneOf.has(request)) inWork.add(request);
        const used = (name?: string) =>
          [...inWork].reduce(
            (sum, request) => sum + (name === undefined || request.name === name ? request.weight : 0),
            0,
          );
        t.true(used() <= limit * 4);
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
