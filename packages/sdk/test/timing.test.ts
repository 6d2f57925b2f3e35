import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fail, json } from '@runward/testing/http-server';
import test from 'ava';
import { buildClient } from '../src/client.ts';
import { createClient, isAborted, isPermissionError, isTimeout } from '../src/index.ts';
import { backoffMs, retryAfterSeconds } from '../src/request/retry.ts';
import { realTiming, type Timing } from '../src/settings.ts';
import { apiKey, errorOf, fetchThen, id, newClient } from './support/client.ts';

test('the wait before a retry is random, up to a limit that doubles from 0.5 s to 8 s', (t) => {
  const limits = [1, 2, 3, 4, 5, 6, 50].map((attempt) => backoffMs(attempt, () => 1));
  t.deepEqual(limits, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  t.is(
    backoffMs(3, () => 0),
    0,
  );
  t.is(
    backoffMs(3, () => 0.25),
    500,
  );
});

test('retryAfterSeconds reads seconds, a date or the body, and ignores other values', (t) => {
  const now = Date.parse('2026-03-01T09:30:00Z');
  const read = (value: string | undefined, body?: unknown) =>
    retryAfterSeconds(new Headers(value === undefined ? {} : { 'retry-after': value }), body, now);
  t.is(read('0'), 0);
  t.is(read(' 17 '), 17);
  t.is(read('Sun, 01 Mar 2026 09:30:30 GMT'), 30);
  t.is(read('Sun, 01 Mar 2026 09:29:00 GMT'), 0);
  for (const nonsense of ['', '-1', '1.5', 'soon', '99-99-99']) t.is(read(nonsense), null);
  t.is(read(undefined, { retryAfter: 9 }), 9);
  t.is(read('2', { retryAfter: 9 }), 2);
  for (const body of [null, 'text', { retryAfter: '9' }, { retryAfter: -1 }]) t.is(read(undefined, body), null);
});

test('a server that does not respond is a TimeoutError, and every attempt has the whole timeout', async (t) => {
  const { runward, received, waits, timers } = await newClient(
    t,
    (_res, _request, _index, expireTimeout) => expireTimeout(),
    {
      timeoutMs: 700,
    },
  );
  const error = await errorOf(runward.runs.get(id));
  t.true(isTimeout(error));
  t.regex((error as Error).message, new RegExp(`GET /runs/${id} took longer than 700 ms`));
  t.is(received.length, 3);
  t.deepEqual(waits, [250, 500]);
  t.deepEqual(
    timers.map(({ ms }) => ms),
    [700, 700, 700],
  );
});

test('a body that stalls is a TimeoutError', async (t) => {
  let afterHeaders = () => {};
  const { runward, received, expireTimeout } = await newClient(
    t,
    (res) => res.writeHead(200, { 'content-type': 'application/json' }).write('{"id":'),
    { fetch: fetchThen(() => setImmediate(() => afterHeaders())) },
  );
  afterHeaders = expireTimeout;
  t.true(isTimeout(await errorOf(runward.runs.get(id, {}, { maxRetries: 0 }))));
  t.true(isTimeout(await errorOf(runward.runs.launch({ templateId: id }, { maxRetries: 0 }))));
  t.is(received.length, 2);
});

test('an attempt after a timeout can succeed', async (t) => {
  const { runward, received } = await newClient(t, (res, _request, index, expireTimeout) =>
    index === 0 ? expireTimeout() : json(res, 200, { id }),
  );
  t.is((await runward.runs.get(id)).id, id);
  t.is(received.length, 2);
});

test('an upload that fails while its source is read leaves no timeout behind', async (t) => {
  const source = Promise.withResolvers<void>();
  async function* content() {
    yield new Uint8Array(9_000_000);
    await source.promise;
    yield new Uint8Array(1_000_000);
  }
  // The server responds before it has got all of the body, and the rest is being read.
  const rejecting: typeof fetch = async (input, init) => {
    if (init?.method !== 'PUT') return fetch(input, init);
    const reader = (init.body as ReadableStream<Uint8Array>).getReader();
    while (((await reader.read()).value?.byteLength ?? 0) === 262_144);
    void reader.read();
    return Response.json({ error: 'Forbidden' }, { status: 403 });
  };
  const target = { fileId: id, method: 'PUT', uploadUrl: 'https://files.example.com/1', headers: {} };
  const { runward, timers } = await newClient(t, (res) => json(res, 200, target), { fetch: rejecting });
  const error = await errorOf(runward.files.upload(id, id, content(), { size: 10_000_000 }));
  t.true(isPermissionError(error), String(error));
  source.resolve();
  await nextTurn();
  t.false(timers.some(({ isRunning }) => isRunning));
});

test('a timeout is capped at the longest timer, and must be greater than 0', async (t) => {
  const { runward, timers } = await newClient(t, (res) => json(res, 200, { id }));
  await runward.runs.get(id, {}, { timeoutMs: Number.POSITIVE_INFINITY });
  t.deepEqual(
    timers.map(({ ms, isRunning }) => [ms, isRunning]),
    [[2 ** 31 - 1, false]],
  );
  for (const timeoutMs of [0, -1, Number.NaN]) {
    await t.throwsAsync(async () => runward.runs.get(id, {}, { timeoutMs }), { message: /`timeoutMs` must be/ });
  }
});

test('a call with an aborted signal rejects before anything is sent', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}));
  const error = await errorOf(runward.runs.get(id, {}, { signal: AbortSignal.abort('stop') }));
  t.true(isAborted(error) && error.cause === 'stop');
  t.is(received.length, 0);
});

test('a call whose signal aborts in a hook rejects before anything is sent', async (t) => {
  const abort = new AbortController();
  let requests = 0;
  const onRequest = () => {
    requests += 1;
    abort.abort();
  };
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}), { hooks: { onRequest } });
  for (let call = 0; call < 2; call += 1) {
    t.true(isAborted(await errorOf(runward.runs.get(id, {}, { signal: abort.signal }))));
  }
  t.deepEqual([received.length, requests], [0, 1], 'the second call does not reach the hook');
});

test('a call whose signal aborts during the request rejects without a retry', async (t) => {
  const abort = new AbortController();
  const { runward, received } = await newClient(t, () => abort.abort(new Error('user left')));
  const error = await errorOf(runward.runs.get(id, {}, { signal: abort.signal }));
  t.true(isAborted(error));
  t.is(((error as Error).cause as Error).message, 'user left');
  t.is(received.length, 1);
});

test('a call whose signal aborts while the body arrives rejects with an AbortError', async (t) => {
  const abort = new AbortController();
  const { runward } = await newClient(
    t,
    (res) => res.writeHead(200, { 'content-type': 'application/json' }).write('{"id":'),
    { fetch: fetchThen(() => setImmediate(() => abort.abort())) },
  );
  t.true(isAborted(await errorOf(runward.runs.launch({ templateId: id }, { signal: abort.signal }))));
});

test('a call whose signal aborts during the wait before a retry rejects without a retry', async (t) => {
  const { baseUrl, received } = await newClient(t, (res) => fail(res, 429, {}, { 'retry-after': '30' }));
  const abort = new AbortController();
  const hooks = { onRetry: () => setImmediate(() => abort.abort()) };
  const sleep: Timing['sleep'] = (_ms, signal) =>
    once(signal as AbortSignal, 'abort').then(() => signal?.throwIfAborted());
  const runward = buildClient({ apiKey, baseUrl, hooks }, { ...realTiming, sleep });
  t.true(isAborted(await errorOf(runward.runs.get(id, {}, { signal: abort.signal }))));
  t.is(received.length, 1);
});

test('a real wait ends with its signal', async (t) => {
  const abort = new AbortController();
  const waiting = errorOf(realTiming.sleep(2 ** 31, abort.signal));
  abort.abort();
  t.like(await waiting, { name: 'AbortError' });
});

test('a client of createClient waits before a retry', async (t) => {
  const events: string[] = [];
  const { baseUrl } = await newClient(t, (res, _request, index) => {
    events.push(`attempt ${index + 1}`);
    return index === 0 ? fail(res, 503, {}, { 'retry-after': '1' }) : json(res, 200, { id });
  });
  const hooks = { onRetry: () => setTimeout(() => events.push('a shorter timer'), 10) };
  await createClient({ apiKey, baseUrl, hooks }).runs.get(id);
  t.deepEqual(events, ['attempt 1', 'a shorter timer', 'attempt 2']);
});

test('a list whose signal aborts requests no further page', async (t) => {
  const abort = new AbortController();
  const { runward, received } = await newClient(t, (res) => json(res, 200, { data: [{ id }], nextCursor: 'n' }));
  const loop = (async () => {
    for await (const run of runward.runs.list({}, { signal: abort.signal })) abort.abort(run);
  })();
  t.true(isAborted(await errorOf(loop)));
  t.is(received.length, 1);
});
