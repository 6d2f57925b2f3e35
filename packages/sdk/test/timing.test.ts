import test from 'ava';
import { createClient, isAborted, isTimeout } from '../src/index.ts';
import { backoffMs, retryAfterSeconds } from '../src/retry.ts';
import { apiKey, errorOf, fetchThen, id, newClient } from './support/client.ts';
import { fail, json } from '@runward/testing/http-server';

test('the wait before a retry is anything up to a limit from 0.5 s to 8 s', (t) => {
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

test('Retry-After is read from seconds, a date or the body', (t) => {
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
  t.true(isTimeout(await errorOf(runward.runs.get(id, { maxRetries: 0 }))));
  t.true(isTimeout(await errorOf(runward.runs.launch({ templateId: id }))));
  t.is(received.length, 2, 'a launch that may have happened is not repeated');
});

test('an attempt after a timeout can succeed', async (t) => {
  const { runward, received } = await newClient(t, (res, _request, index, expireTimeout) =>
    index === 0 ? expireTimeout() : json(res, 200, { id }),
  );
  t.is((await runward.runs.get(id)).id, id);
  t.is(received.length, 2);
});

test('a timeout is at most what a timer can hold, and more than 0', async (t) => {
  const { runward, timers } = await newClient(t, (res) => json(res, 200, { id }));
  await runward.runs.get(id, { timeoutMs: Number.POSITIVE_INFINITY });
  t.deepEqual(
    timers.map(({ ms, isRunning }) => [ms, isRunning]),
    [[2 ** 31 - 1, false]],
  );
  for (const timeoutMs of [0, -1, Number.NaN]) {
    await t.throwsAsync(async () => runward.runs.get(id, { timeoutMs }), { message: /`timeoutMs` must be/ });
  }
});

test('a signal that was aborted before sends nothing', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}));
  const error = await errorOf(runward.runs.get(id, { signal: AbortSignal.abort('stop') }));
  t.true(isAborted(error) && error.cause === 'stop');
  t.is(received.length, 0);
});

test('a signal that aborts in a hook sends nothing either', async (t) => {
  const abort = new AbortController();
  let requests = 0;
  const onRequest = () => {
    requests += 1;
    abort.abort();
  };
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}), { hooks: { onRequest } });
  for (let call = 0; call < 2; call += 1) {
    t.true(isAborted(await errorOf(runward.runs.get(id, { signal: abort.signal }))));
  }
  t.deepEqual([received.length, requests], [0, 1], 'the second call does not come as far as the hook');
});

test('a signal that aborts during the request ends it without a retry', async (t) => {
  const abort = new AbortController();
  const { runward, received } = await newClient(t, () => abort.abort(new Error('user left')));
  const start = performance.now();
  const error = await errorOf(runward.runs.get(id, { signal: abort.signal }));
  t.true(isAborted(error));
  t.true(performance.now() - start < 5000, 'it does not wait for the timeout');
  t.is(((error as Error).cause as Error).message, 'user left');
  t.is(received.length, 1);
});

test('a signal that aborts while the body arrives ends the call', async (t) => {
  const abort = new AbortController();
  const { runward } = await newClient(t, (res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
    setTimeout(() => abort.abort(), 50);
  });
  const error = await errorOf(runward.runs.launch({ templateId: id }, { signal: abort.signal }));
  t.true(isAborted(error), 'a launch is not repeatable, and still it is no timeout');
});

test('a signal that aborts while the call waits for a retry ends it at once', async (t) => {
  const { baseUrl, received } = await newClient(t, (res) => fail(res, 429, {}, { 'retry-after': '30' }));
  const abort = new AbortController();
  const runward = createClient({ apiKey, baseUrl, hooks: { onRetry: () => setTimeout(() => abort.abort(), 30) } });
  const start = performance.now();
  t.true(isAborted(await errorOf(runward.runs.get(id, { signal: abort.signal }))));
  t.true(performance.now() - start < 5000);
  t.is(received.length, 1);
});

test('the real client waits between attempts', async (t) => {
  const { baseUrl } = await newClient(t, (res, _, index) =>
    index === 0 ? fail(res, 503, {}, { 'retry-after': '1' }) : json(res, 200, { id }),
  );
  const start = performance.now();
  await createClient({ apiKey, baseUrl }).runs.get(id);
  t.true(performance.now() - start >= 990);
});

test('an aborted list stops between its pages', async (t) => {
  const abort = new AbortController();
  const { runward, received } = await newClient(t, (res) => json(res, 200, { data: [{ id }], nextCursor: 'n' }));
  const loop = (async () => {
    for await (const run of runward.runs.list({}, { signal: abort.signal })) abort.abort(run);
  })();
  t.true(isAborted(await errorOf(loop)));
  t.is(received.length, 1);
});
