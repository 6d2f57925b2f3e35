import { fail, json } from '@runward/testing/http-server';
import test from 'ava';
import { ConnectionError, isNotFound } from '../src/index.ts';
import { errorOf, id, newClient } from './support/client.ts';

test('request sends any path with a query, a body and the options of a call', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 201, { new: true }));
  const query = { a: 'x y', b: 2, c: undefined };
  const options = { query, body: { k: [1] }, headers: { 'x-trace': 'abc' }, idempotencyKey: 'key-1' };
  t.deepEqual(await runward.request('POST', '/some/new?z=1', options), { new: true });
  const [request] = received;
  t.is(request?.method, 'POST');
  t.is(request?.url, '/some/new?z=1&a=x+y&b=2');
  t.is(request?.body, '{"k":[1]}');
  t.is(request?.headers['x-trace'], 'abc');
  t.is(request?.headers['idempotency-key'], 'key-1');
});

test('query values of programs without types: null is left out, and a date is written in ISO 8601', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}));
  const query: object = { a: null, at: new Date(0) };
  await runward.request('GET', '/runs', { query: query as Record<string, string> });
  t.is(received[0]?.url, '/runs?at=1970-01-01T00%3A00%3A00.000Z');
});

test('ifMatch is sent in quotes, and what is no version is rejected before anything is sent', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}));
  for (const ifMatch of ['12', '"12"', '*']) await runward.request('PATCH', '/x', { ifMatch });
  t.deepEqual(
    received.map(({ headers }) => headers['if-match']),
    ['"12"', '"12"', '*'],
  );
  for (const ifMatch of ['', 'W/"12"', '"12", "13"', 'größe', '1 2']) {
    await t.throwsAsync(async () => runward.runs.update(id, { title: 'A' }, { ifMatch }), {
      message: '`ifMatch` must be the `version` of a record, the `etag` of an earlier response, or *.',
    });
  }
  t.is(received.length, 3);
});

test('maxStaleSeconds is sent as Cache-Control with every page, and the age of the data is returned', async (t) => {
  const { runward, received } = await newClient(t, (res, { url }) => {
    const isLast = url.includes('cursor');
    if (!isLast) res.setHeader('age', '2');
    json(res, 200, { data: [{}], total: 2, hasMore: !isLast, nextCursor: isLast ? null : 'next' });
  });
  const list = runward.runs.list({ limit: 1 }, { maxStaleSeconds: 5 });
  t.is((await list.withResponse()).ageSeconds, 2);
  for await (const page of list.pages()) if (page.nextCursor === null) break;
  t.deepEqual([...new Set(received.map(({ headers }) => headers['cache-control']))], ['max-stale=5']);
  t.true(received.length > 1);

  const current = await runward.request('GET', '/runs', { maxStaleSeconds: 0, query: { cursor: 'next' } });
  t.truthy(current);
  t.is(received.at(-1)?.headers['cache-control'], 'max-stale=0');
  for (const maxStaleSeconds of [-1, 0.5, NaN, Infinity]) {
    await t.throwsAsync(async () => runward.runs.counts({}, { maxStaleSeconds }), {
      message: '`maxStaleSeconds` must be a whole number of seconds, 0 or more.',
    });
  }
});

test('request returns text other than JSON as a string, and undefined for an empty body', async (t) => {
  const { runward } = await newClient(t, (res, { url }) => {
    if (url === '/csv') res.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\n');
    else res.writeHead(url === '/none' ? 204 : 200).end();
  });
  t.is(await runward.request('GET', '/csv'), 'a,b\n');
  t.is(await runward.request('DELETE', '/none'), undefined);
  t.is(await runward.request('GET', '/empty'), undefined);
});

test('request rejects a path that leads to another server, and input that cannot be sent', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, {}));
  await t.throwsAsync(async () => runward.request('GET', 'https://example.com/runs'), {
    message: /start with a slash/,
  });
  await t.throwsAsync(async () => runward.request('GET', '@example.com'), { message: /start with a slash/ });
  await t.throwsAsync(async () => runward.request('GET', '/runs', { body: {} }), { message: /use `query` instead/ });
  const idempotencyKey = 'schlüssel';
  await t.throwsAsync(async () => runward.request('POST', '/runs', { idempotencyKey }), { message: /visible ASCII/ });
  await runward.request('GET', '//example.com/runs');
  t.deepEqual(
    received.map(({ url }) => url),
    ['//example.com/runs'],
  );
});

test('request rejects with the same errors as a method, with the path of the caller', async (t) => {
  const { runward } = await newClient(t, (res) => res.writeHead(404).end());
  const error = await errorOf(runward.request('GET', '/nothing?here=1'));
  t.true(isNotFound(error) && error.path === '/nothing?here=1');
});

test('withResponse returns headers, request id and rate limit of the same request', async (t) => {
  const { runward, received } = await newClient(t, (res) =>
    json(
      res,
      200,
      { id },
      {
        'x-request-id': 'req-1',
        'x-ratelimit-limit': '1500',
        'x-ratelimit-remaining': '1499',
        'x-ratelimit-reset': '1772357460',
      },
    ),
  );
  const call = runward.runs.get(id);
  const { data, response, requestId, rateLimit } = await call.withResponse();
  t.like(data, { id });
  t.is((await call).id, id);
  t.is(response.status, 200);
  t.is(response.headers.get('x-request-id'), 'req-1');
  t.true(response.bodyUsed);
  t.is(requestId, 'req-1');
  t.deepEqual(rateLimit, { limit: 1500, remaining: 1499, resetAt: new Date('2026-03-01T09:31:00.000Z') });
  t.is(received.length, 1);
});

test('withResponse returns null for headers that are missing or not numbers', async (t) => {
  const { runward } = await newClient(t, (res) =>
    json(res, 200, {}, { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '1' }),
  );
  const { requestId, rateLimit } = await runward.health.live().withResponse();
  t.deepEqual([requestId, rateLimit], [null, null]);
});

test('withResponse rejects like the call, and leaves no rejection unhandled', async (t) => {
  const unhandled: unknown[] = [];
  const record = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', record);
  t.teardown(() => process.off('unhandledRejection', record));
  const { runward } = await newClient(t, (res) => fail(res, 404));
  t.true(isNotFound(await errorOf(runward.runs.get(id).withResponse())));
  t.true(isNotFound(await errorOf(runward.runs.list().withResponse())));
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.deepEqual(unhandled, []);
});

test('unknown fields and values of a response are passed on', async (t) => {
  const record = { id, status: 'PAUSED', tasks: 'not even a list', added: { later: true } };
  const { runward } = await newClient(t, (res) => json(res, 200, record));
  t.deepEqual((await runward.runs.get(id)) as unknown, record);
});

test('an HTML page instead of JSON is a ConnectionError that names baseUrl', async (t) => {
  const { runward } = await newClient(
    t,
    (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    { maxRetries: 0 },
  );
  await t.throwsAsync(async () => runward.runs.get(id), {
    instanceOf: ConnectionError,
    message: /text\/html.*baseUrl/,
  });
});

test('the option fetch replaces the global fetch', async (t) => {
  const requested: unknown[] = [];
  const { runward } = await newClient(t, (res) => json(res, 200, { id }), {
    fetch: async (input, init) => {
      requested.push(input);
      return fetch(input, init);
    },
  });
  t.is((await runward.runs.get(id)).id, id);
  t.is(requested.length, 1);
});
