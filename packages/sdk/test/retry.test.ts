import { deadAddress, fail, json } from '@runward/testing/http-server';
import test from 'ava';
import { isConnectionError, isRateLimited, isServerError } from '../src/index.ts';
import { errorOf, id, newClient, now } from './support/client.ts';

const transient = [408, 429, 500, 502, 503, 504];
const permanent = [400, 401, 402, 403, 404, 409, 413, 422, 501, 505, 507];

for (const status of transient) {
  test(`a call that gets ${status} is attempted three times, with growing waits`, async (t) => {
    const { runward, received, waits } = await newClient(t, (res) => fail(res, status));
    const error = await errorOf(runward.runs.get(id));
    t.like(error, { statusCode: status });
    t.is(received.length, 3);
    t.deepEqual(waits, [250, 500]);
  });
}

for (const status of permanent) {
  test(`a call that gets ${status} is attempted once`, async (t) => {
    const { runward, received } = await newClient(t, (res) => fail(res, status));
    t.like(await errorOf(runward.runs.get(id)), { statusCode: status });
    t.is(received.length, 1);
  });
}

test('a call succeeds if a later attempt does', async (t) => {
  const { runward, received } = await newClient(t, (res, _, index) =>
    index < 2 ? fail(res, 503) : json(res, 200, { id }),
  );
  t.is((await runward.runs.get(id)).id, id);
  t.is(received.length, 3);
});

test('maxRetries of a call overrides that of the client', async (t) => {
  const { runward, received, waits } = await newClient(t, (res) => fail(res, 500), { maxRetries: 6 });
  await errorOf(runward.runs.get(id));
  t.is(received.length, 7);
  t.deepEqual(waits, [250, 500, 1000, 2000, 4000, 4000]);
  await errorOf(runward.runs.get(id, {}, { maxRetries: 0 }));
  t.is(received.length, 8);
  await t.throwsAsync(async () => runward.runs.get(id, {}, { maxRetries: -1 }), { message: /`maxRetries` must be/ });
  t.is(received.length, 8);
});

test('PUT and DELETE are retried, POST and PATCH only with an idempotency key', async (t) => {
  const { runward, received } = await newClient(t, (res) => fail(res, 500), { idempotencyKeys: false });
  const options = { idempotencyKey: 'import-42' };
  const attempts = async (call: PromiseLike<unknown>) => {
    const before = received.length;
    t.true(isServerError(await errorOf(call)));
    return received.length - before;
  };
  t.is(await attempts(runward.templates.update(id, { name: 'x' })), 3);
  t.is(await attempts(runward.templates.delete(id)), 3);
  t.is(await attempts(runward.runs.launch({ templateId: id })), 1);
  t.is(await attempts(runward.runs.cancel(id)), 1);
  t.is(await attempts(runward.runs.tasks.setStatus(id, { status: 'COMPLETED' })), 1);
  t.is(await attempts(runward.request('POST', '/runs', { body: { idempotencyKey: 7 } })), 1);
  t.false(received.some(({ headers }) => 'idempotency-key' in headers));

  const before = received.length;
  t.is(await attempts(runward.runs.launch({ templateId: id }, options)), 3);
  t.is(await attempts(runward.runs.cancel(id, options)), 3);
  t.is(await attempts(runward.runs.tasks.setStatus(id, { status: 'COMPLETED' }, options)), 3);
  t.true(received.slice(before).every(({ headers }) => headers['idempotency-key'] === 'import-42'));
  t.is(await attempts(runward.request('POST', '/runs', { body: { idempotencyKey: 'in-body' } })), 3);
  t.is(await attempts(runward.execution.complete({ executionEntryId: id })), 1);
});

test('a write whose repetition would respond otherwise carries a new idempotency key, the same in every attempt', async (t) => {
  const { runward, received } = await newClient(t, (res) => fail(res, 500));
  const keysOf = async (call: PromiseLike<unknown>) => {
    const before = received.length;
    await errorOf(call);
    return received.slice(before).map(({ headers }) => headers['idempotency-key']);
  };
  const calls = [
    () => runward.runs.launch({ templateId: id }),
    () => runward.runs.tasks.setStatus(id, { status: 'COMPLETED' }),
    () => runward.request('POST', '/runs', { body: {} }),
    () => runward.templates.delete(id),
    () => runward.templates.update(id, { name: 'x' }, { ifMatch: '3' }),
  ];
  const used: (string | string[] | undefined)[] = [];
  for (const call of calls) {
    const [first, second, third, ...more] = await keysOf(call());
    t.regex(String(first), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    t.deepEqual([second, third, more], [first, first, []]);
    used.push(first);
  }
  t.is(new Set(used).size, calls.length);

  const none = [undefined, undefined, undefined];
  t.deepEqual(await keysOf(runward.templates.update(id, { name: 'x' })), none, 'a PUT without ifMatch');
  t.deepEqual(await keysOf(runward.savedViews.preview({ filters: {} })), none, 'reads');
  t.deepEqual(await keysOf(runward.execution.complete({ executionEntryId: id })), none, 'the body has one');
  t.deepEqual(await keysOf(runward.runs.launch({ templateId: id }, { idempotencyKey: false })), [undefined]);
  const headers = { 'Idempotency-Key': 'own' };
  t.deepEqual(
    await keysOf(runward.runs.launch({ templateId: id }, { headers })),
    ['own'],
    'retries are up to the caller',
  );
});

test('a POST without an idempotency key is retried after a 429', async (t) => {
  const { runward, received } = await newClient(t, (res, _, index) =>
    index === 0 ? fail(res, 429) : json(res, 201, { id }),
  );
  t.is((await runward.runs.launch({ templateId: id }, { idempotencyKey: false })).id, id);
  t.is(received.length, 2);
});

test('execution.complete sends an idempotency key, the same in every attempt and a new one in every call', async (t) => {
  const { runward, received } = await newClient(t, (res, _, index) =>
    index === 2 ? res.writeHead(204).end() : fail(res, 502),
  );
  const key = (index: number) =>
    (JSON.parse(received[index]?.body ?? '{}') as { idempotencyKey?: string }).idempotencyKey;
  t.is(await runward.execution.complete({ executionEntryId: id }), undefined);
  t.is(received.length, 3);
  t.regex(key(0) ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.true(key(1) === key(0) && key(2) === key(0));

  await errorOf(runward.execution.complete({ executionEntryId: id }, { maxRetries: 0 }));
  t.not(key(3), key(0));
  await errorOf(runward.execution.complete({ executionEntryId: id, idempotencyKey: id }));
  t.deepEqual([key(4), key(5), key(6)], [id, id, id]);
  await errorOf(runward.execution.complete({ executionEntryId: id }, { idempotencyKey: id, maxRetries: 0 }));
  t.is(key(7), id);
});

test('execution.submitForm sends an idempotency key in its body, but not with complete: false', async (t) => {
  const { runward, received } = await newClient(t, (res, _, index) => fail(res, index === 1 ? 400 : 502));
  const key = (index: number) =>
    (JSON.parse(received[index]?.body ?? '{}') as { idempotencyKey?: string }).idempotencyKey;
  await errorOf(runward.execution.submitForm({ runTaskId: id, values: [] }));
  t.is(received.length, 2);
  t.is(typeof key(0), 'string');
  t.is(key(1), key(0));
  await errorOf(
    runward.execution.submitForm({ runTaskId: id, values: [], complete: false }, { idempotencyKey: false }),
  );
  t.is(received.length, 3);
  t.is(key(2), undefined);
});

test('a retry waits as long as Retry-After says: seconds, a date, or retryAfter of the body', async (t) => {
  const responses = [
    { headers: { 'retry-after': '3' } },
    { headers: { 'retry-after': new Date(now.getTime() + 20_000).toUTCString() } },
    { headers: {}, body: { retryAfter: 5 } },
    { headers: { 'retry-after': 'soon' } },
    { headers: { 'retry-after': new Date(now.getTime() - 20_000).toUTCString() } },
  ];
  const { runward, waits } = await newClient(
    t,
    (res, _, index) => {
      const response = responses[index];
      if (response) fail(res, index % 2 === 0 ? 429 : 503, response.body, response.headers);
      else json(res, 200, { id });
    },
    { maxRetries: 5 },
  );
  await runward.runs.get(id);
  t.deepEqual(waits, [3000, 20_000, 5000, 2000, 0]);
});

test('a call rejects without a retry if Retry-After exceeds maxRetryAfterSeconds', async (t) => {
  const { runward, received, waits } = await newClient(t, (res) => fail(res, 429, {}, { 'retry-after': '61' }));
  const error = await errorOf(runward.runs.get(id));
  t.true(isRateLimited(error) && error.retryAfterSeconds === 61);
  t.deepEqual([received.length, waits], [1, []]);

  const tolerant = await newClient(t, (res) => fail(res, 429, {}, { 'retry-after': '61' }), {
    maxRetryAfterSeconds: 61,
  });
  await errorOf(tolerant.runward.runs.get(id));
  t.deepEqual(tolerant.waits, [61_000, 61_000]);
});

test('a GET is retried after a broken connection and after a truncated body', async (t) => {
  const { runward, received } = await newClient(t, (res, _, index) => {
    if (index === 0) res.destroy();
    if (index === 1) {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 });
      res.write('{"id":', () => res.destroy());
    }
    if (index === 2) json(res, 200, { id });
  });
  t.is((await runward.runs.get(id)).id, id);
  t.is(received.length, 3);
});

test('a complete response with truncated JSON is a ConnectionError', async (t) => {
  const { runward, received } = await newClient(t, (res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "0195'),
  );
  const error = await errorOf(runward.runs.get(id));
  t.true(isConnectionError(error));
  t.regex((error as Error).message, /^GET \/runs\/.*: the response is not valid JSON \(truncated\)/);
  t.is(received.length, 3);
  t.true(isConnectionError(await errorOf(runward.runs.launch({ templateId: id }, { idempotencyKey: false }))));
  t.is(received.length, 4, 'without a key, a launch is not repeated: it may have succeeded');
  t.true(isConnectionError(await errorOf(runward.request('GET', '/runs'))));
});

test('a server that cannot be reached is a ConnectionError that names baseUrl', async (t) => {
  const baseUrl = await deadAddress();
  const { runward, waits } = await newClient(t, () => {}, { baseUrl });
  const error = await errorOf(runward.runs.get(id));
  t.true(isConnectionError(error));
  t.regex((error as Error).message, /^GET \/runs\/.* failed: .*ECONNREFUSED/);
  t.true((error as Error).message.includes(`Check that baseUrl (${baseUrl}) is correct`));
  t.is(waits.length, 2);
});
