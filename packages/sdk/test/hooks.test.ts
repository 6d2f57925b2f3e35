import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { deadAddress, fail, json } from '@runward/testing/http-server';
import test, { type ExecutionContext } from 'ava';
import { isAborted, isConnectionError, isNotFound, isServerError, isTimeout, type Hooks } from '../src/index.ts';
import { newClientOf } from './support/client-of.ts';
import { apiKey, errorOf, id, newClient, type RespondTo } from './support/client.ts';
import { fileContract } from './support/files.ts';

/** Hooks that keep what they are called with, as `name attempt`, and the contexts by name. */
function recorder() {
  const order: string[] = [];
  const contexts: { [Name in keyof Hooks]-?: Parameters<NonNullable<Hooks[Name]>>[0][] } = {
    onRequest: [],
    onRequestError: [],
    onResponse: [],
    onRetry: [],
  };
  const record =
    <Name extends keyof Hooks>(name: Name) =>
    (context: (typeof contexts)[Name][number] & { attempt: number }) => {
      order.push(`${name} ${context.attempt}`);
      (contexts[name] as unknown[]).push(context);
    };
  const hooks: Hooks = {
    onRequest: record('onRequest'),
    onRequestError: record('onRequestError'),
    onResponse: record('onResponse'),
    onRetry: record('onRetry'),
  };
  return { hooks, order, contexts };
}

const failOnce: RespondTo = (res, _request, index) => (index === 0 ? fail(res, 503) : json(res, 200, { id }));

test('hooks are called for every attempt in the order of what happens', async (t) => {
  const { hooks, order, contexts } = recorder();
  const { runward, baseUrl } = await newClient(t, failOnce, { hooks });
  await runward.runs.get(id);
  t.deepEqual(order, ['onRequest 1', 'onResponse 1', 'onRetry 1', 'onRequest 2', 'onResponse 2']);
  for (const context of Object.values(contexts).flat()) {
    t.like(context, { operation: 'runs.get', request: `${baseUrl}/runs/${id}`, options: { method: 'GET' } });
  }
  const [response] = contexts.onResponse;
  t.like(response?.response, { ok: false, status: 503, statusText: 'Service Unavailable' });
  t.is(response?.response.headers.get('content-type'), 'application/json; charset=utf-8');
  t.true((response?.durationMs ?? 0) > 0);
  const [retry] = contexts.onRetry;
  t.true(isServerError(retry?.error));
  t.is(retry?.delayMs, 250);

  const other = recorder();
  const { runward: raw } = await newClient(t, failOnce, { hooks: other.hooks });
  await errorOf(raw.request('POST', '/runs', { body: {}, idempotencyKey: false }));
  t.deepEqual(other.order, ['onRequest 1', 'onResponse 1']);
  t.like(other.contexts.onRequest[0], { operation: null, options: { method: 'POST' } });
});

test('hooks see no credentials and no body', async (t) => {
  const { hooks, contexts } = recorder();
  const { runward } = await newClient(t, (res) => fail(res, 503, {}, { 'set-cookie': 'flow_session=secret' }), {
    hooks,
  });
  const headers = { 'X-Trace': 'abc', cookie: 'flow_session=secret', 'proxy-authorization': 'Basic secret' };
  await errorOf(runward.request('POST', '/files/transfer/signature-secret', { headers, body: { password: 'secret' } }));
  const [request] = contexts.onRequest;
  t.regex(request?.request ?? '', /\/files\/transfer\/\[redacted\]$/);
  const shown = ['authorization', 'cookie', 'proxy-authorization', 'x-trace'].map((name) =>
    request?.options.headers.get(name),
  );
  t.deepEqual(shown, ['[redacted]', '[redacted]', '[redacted]', 'abc']);
  t.is(contexts.onResponse[0]?.response.headers.get('set-cookie'), '[redacted]');
  const printed = (...values: unknown[]) => inspect(values, { depth: 20, showHidden: true });
  t.false(printed(contexts).includes(apiKey));
  t.false(printed(contexts.onRequest, contexts.onResponse).includes('secret'));
});

test('onRequest sets, replaces and deletes headers of its attempt, and the rest is sent as it was', async (t) => {
  const { runward, received } = await newClient(t, failOnce, {
    hooks: {
      onRequest({ attempt, options: { headers } }) {
        headers.set('traceparent', `00-${attempt}`);
        headers.append('accept', 'text/plain');
        headers.delete('x-old');
        if (attempt === 2) headers.set('authorization', 'Bearer other');
      },
    },
  });
  await runward.runs.get(id, {}, { headers: { 'x-old': '1', 'x-kept': '2' } });
  const sent = received.map(({ headers }) =>
    ['authorization', 'traceparent', 'accept', 'x-old', 'x-kept'].map((name) => headers[name]),
  );
  t.deepEqual(sent, [
    [`Bearer ${apiKey}`, '00-1', 'application/json, text/plain', undefined, '2'],
    ['Bearer other', '00-2', 'application/json, text/plain', undefined, '2'],
  ]);
});

test('a header that onRequest sets is not shown to the other hooks if it is a credential', async (t) => {
  const seen: unknown[] = [];
  const { runward } = await newClient(t, (res) => json(res, 200, {}), {
    hooks: {
      onRequest: ({ options }) => options.headers.set('authorization', 'Bearer other'),
      onResponse: ({ options }) => seen.push(options.headers.get('authorization')),
    },
  });
  await runward.runs.get(id);
  t.deepEqual(seen, ['[redacted]']);
});

test('hooks are awaited', async (t) => {
  const order: string[] = [];
  const slow = (name: string) => async () => {
    order.push(`${name} begins`);
    await nextTurn();
    await nextTurn();
    order.push(`${name} ends`);
  };
  const { runward } = await newClient(
    t,
    (res, request, index, expire) => {
      order.push('request');
      return failOnce(res, request, index, expire);
    },
    { hooks: { onRequest: slow('onRequest'), onResponse: slow('onResponse'), onRetry: slow('onRetry') } },
  );
  await runward.runs.get(id);
  order.push('data');
  const attempt = ['onRequest begins', 'onRequest ends', 'request', 'onResponse begins', 'onResponse ends'];
  t.deepEqual(order, [...attempt, 'onRetry begins', 'onRetry ends', ...attempt, 'data']);
});

for (const [name, respond, requests] of [
  ['onRequest', failOnce, 0],
  ['onResponse', failOnce, 1],
  ['onRetry', failOnce, 1],
  ['onRequestError', (res) => void res.destroy(), 1],
] satisfies [keyof Hooks, RespondTo, number][]) {
  test(`an error that ${name} throws rejects the call without a retry`, async (t) => {
    for (const isAsync of [false, true]) {
      const error = new RangeError('enough');
      const hook = isAsync
        ? () => Promise.reject(error)
        : () => {
            throw error;
          };
      const { runward, received, timers } = await newClient(t, respond, { hooks: { [name]: hook } });
      t.is(await errorOf(runward.runs.get(id)), error);
      t.is(received.length, requests);
      t.false(timers.some(({ isRunning }) => isRunning));
    }
  });
}

test('onRequestError gets the error of an attempt without a response', async (t) => {
  const failures = {
    'no server': async (hooks: Hooks) => newClient(t, () => {}, { hooks, baseUrl: await deadAddress(), maxRetries: 1 }),
    'a broken connection': async (hooks: Hooks) => newClient(t, (res) => void res.destroy(), { hooks, maxRetries: 1 }),
    'a timeout': async (hooks: Hooks) =>
      newClient(t, (_res, _request, _index, expire) => expire(), { hooks, maxRetries: 1 }),
  };
  for (const [name, arrange] of Object.entries(failures)) {
    const { hooks, order, contexts } = recorder();
    const { runward } = await arrange(hooks);
    const error = await errorOf(runward.runs.get(id));
    t.deepEqual(order, ['onRequest 1', 'onRequestError 1', 'onRetry 1', 'onRequest 2', 'onRequestError 2'], name);
    t.true(name === 'a timeout' ? isTimeout(error) : isConnectionError(error), name);
    t.true(contexts.onRequestError[1]?.error === error, name);
    t.is(contexts.onRequestError[0]?.options.headers.get('authorization'), '[redacted]');
  }
  const { hooks, order, contexts } = recorder();
  const abort = new AbortController();
  const { runward } = await newClient(t, () => abort.abort(), { hooks });
  const error = await errorOf(runward.runs.get(id, {}, { signal: abort.signal }));
  t.true(isAborted(error));
  t.deepEqual([order, contexts.onRequestError[0]?.error], [['onRequest 1', 'onRequestError 1'], error]);
});

test('onResponse is called before a body that fails, which is no request error', async (t) => {
  const { hooks, order } = recorder();
  const { runward } = await newClient(
    t,
    (res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"id":');
      setImmediate(() => res.destroy());
    },
    { hooks, maxRetries: 0 },
  );
  t.true(isConnectionError(await errorOf(runward.runs.get(id))));
  t.deepEqual(order, ['onRequest 1', 'onResponse 1']);
});

const newFiles = async (t: ExecutionContext, respond: RespondTo, hooks: Hooks) =>
  newClientOf(t, fileContract, respond, { hooks });

test('hooks leave the body of a download to the caller', async (t) => {
  const { hooks, order, contexts } = recorder();
  const { runward } = await newFiles(
    t,
    (res) => res.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\n'),
    hooks,
  );
  const download = await runward.files.download('x');
  t.deepEqual(order, ['onRequest 1', 'onResponse 1']);
  t.false('body' in (contexts.onResponse[0]?.response ?? {}));
  t.is(await download.text(), 'a,b\n');
});

test('an error of onResponse closes a download', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { runward } = await newFiles(
    t,
    (res) => {
      res.on('close', closed.resolve);
      res.writeHead(200, { 'content-type': 'text/csv' }).write('a,b\n');
    },
    { onResponse: () => Promise.reject(new RangeError('enough')) },
  );
  t.true((await errorOf(runward.files.download('x'))) instanceof RangeError);
  await t.notThrowsAsync(closed.promise);
});

test('hooks get the attempts of an upload and of a missing file', async (t) => {
  const { hooks, order, contexts } = recorder();
  const { runward, received } = await newFiles(
    t,
    (res, _request, index) => (index === 0 ? json(res, 200, { id }) : fail(res, 404)),
    hooks,
  );
  await runward.files.upload('x', { title: 'A', file: new Blob(['a']), preview: new Blob(['b']) });
  t.true(isNotFound(await errorOf(runward.files.download('y'))));
  t.deepEqual(order, ['onRequest 1', 'onResponse 1', 'onRequest 1', 'onResponse 1']);
  t.deepEqual(
    contexts.onResponse.map(({ response }) => response.status),
    [200, 404],
  );
  t.true(received[0]?.body.includes('name="preview"'));
});
