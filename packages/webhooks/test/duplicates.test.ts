import test from 'ava';
import { createReceiver, type DuplicateStore, memoryDuplicateStore } from '../src/index.ts';
import { delivery, secret } from './support.ts';

test('a delivery can be claimed once, and again after a release', async (t) => {
  const store = memoryDuplicateStore();
  t.true(await store.claim('a'));
  t.false(await store.claim('a'));
  t.true(await store.claim('b'));
  await store.release('a');
  t.true(await store.claim('a'));
  await t.notThrowsAsync(store.release('never claimed'));
});

test('one of many concurrent claims succeeds', async (t) => {
  const store = memoryDuplicateStore();
  const claims = await Promise.all(Array.from({ length: 50 }, () => store.claim('a')));
  t.is(claims.filter(Boolean).length, 1);
});

test('a claim expires after ttlSeconds, not before', async (t) => {
  let ms = 0;
  const store = memoryDuplicateStore({ ttlSeconds: 60, now: () => ms });
  await store.claim('a');
  ms = 59_999;
  t.false(await store.claim('a'));
  await store.claim('b');
  ms = 60_000;
  t.true(await store.claim('a'));
  t.false(await store.claim('b'));
});

test('a claim expires after five days by default', async (t) => {
  let ms = 0;
  const store = memoryDuplicateStore({ now: () => ms });
  await store.claim('a');
  ms = 5 * 86_400_000 - 1;
  t.false(await store.claim('a'));
  ms += 1;
  t.true(await store.claim('a'));
});

test('the oldest claim is evicted beyond max', async (t) => {
  const store = memoryDuplicateStore({ max: 2 });
  for (const id of ['a', 'b', 'c']) await store.claim(id);
  t.false(await store.claim('b'));
  t.false(await store.claim('c'));
  t.true(await store.claim('a'));
});

test('a limit that is not positive throws', (t) => {
  for (const wrong of [0, -1, Number.NaN]) {
    t.throws(() => memoryDuplicateStore({ max: wrong }), { instanceOf: RangeError });
    t.throws(() => memoryDuplicateStore({ ttlSeconds: wrong }), { instanceOf: RangeError });
  }
});

test('a delivery to two receivers with a shared store is handled by one', async (t) => {
  let runs = 0;
  const duplicates = memoryDuplicateStore();
  const receivers = [1, 2].map(() => createReceiver({ secret, duplicates }).onAny(() => (runs += 1)));
  const one = await delivery();
  const responses = await Promise.all(receivers.map((receiver) => receiver.handle(one)));
  // Which of the two is verified first is not defined.
  const results = responses.map(({ status, body }) => `${status} ${'result' in body ? body.result : body.error}`);
  t.deepEqual(results.sort(), ['200 duplicate', '200 handled']);
  t.is(runs, 1);
});

test('a delivery gets 500 and no handler runs if the store fails to claim', async (t) => {
  const errors: unknown[] = [];
  const duplicates: DuplicateStore = { claim: () => Promise.reject(new Error('down')), release: async () => {} };
  const receiver = createReceiver({ secret, duplicates, onError: (error) => errors.push(error) });
  receiver.onAny(() => t.fail('no handler may run'));
  t.like(await receiver.handle(await delivery()), { status: 500 });
  t.deepEqual(errors, [new Error('down')]);
});

test('an error of release is reported in addition to the error of the handler', async (t) => {
  const messages: string[] = [];
  const down = new Error('down');
  const duplicates: DuplicateStore = { claim: async () => true, release: () => Promise.reject(down) };
  const onError = (error: unknown) => messages.push(String(error));
  const receiver = createReceiver({ secret, duplicates, onError });
  receiver.onAny(() => Promise.reject(new Error('handler')));

  t.like(await receiver.handle(await delivery()), { status: 500 });
  t.deepEqual(messages, ['Error: down', 'Error: handler']);
});
