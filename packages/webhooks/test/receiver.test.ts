import { until } from '@runward/testing/until';
import test from 'ava';
import {
  createReceiver,
  type Delivery,
  type ErrorContext,
  type EventOf,
  type KnownEventName,
  type RawBody,
  sign,
} from '../src/index.ts';
import { delivery, payload, secret } from './support.ts';

test('handlers of the event and of any event run one at a time, in the order they were added', async (t) => {
  const log: string[] = [];
  const receiver = createReceiver({ secret })
    .onAny(async (event) => void log.push(`any ${event.event}`))
    .on('task.completed', async ({ data }) => void log.push(`task ${data.runTaskId}`))
    .on('run.completed', async (event: EventOf<'run.completed'>) => {
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`run ${event.data.runId}`);
    })
    .on('run.completed', ({ data }) => void log.push(`again ${data.runId}`));

  const response = await receiver.handle(await delivery(payload({ data: { runId: 'r', templateId: 't' } })));
  t.deepEqual(response, { status: 200, body: { result: 'handled' } });
  t.deepEqual(log, ['any run.completed', 'run r', 'again r']);
});

test('an event without a handler is ignored, and can be handled once it has one', async (t) => {
  const seen: string[] = [];
  const receiver = createReceiver({ secret }).on('run.started', () => t.fail('no handler may run'));
  const one = await delivery(payload({ event: 'run.paused' }));
  for (const attempt of [one, one, await delivery()]) {
    t.deepEqual(await receiver.handle(attempt), { status: 200, body: { result: 'ignored' } });
  }
  receiver.onAny(({ event }) => seen.push(event));
  t.deepEqual(await receiver.handle(one), { status: 200, body: { result: 'handled' } });
  t.deepEqual(await receiver.handle(one), { status: 200, body: { result: 'duplicate' } });
  t.deepEqual(seen, ['run.paused']);
});

test.serial('without onTest, a line says that a test delivery was received; onTest fails like a handler', async (t) => {
  const lines: unknown[][] = [];
  const original = console.info;
  console.info = (...args) => void lines.push(args);
  t.teardown(() => (console.info = original));

  const one = await delivery(payload({ deliveryId: 'd1', data: { runId: 'r', templateId: 't', test: true } }));
  const receiver = createReceiver({ secret }).on('run.completed', () => t.fail('no handler may run'));
  t.deepEqual(await receiver.handle(one), { status: 200, body: { result: 'test' } });
  t.deepEqual(await receiver.handle(one), { status: 200, body: { result: 'duplicate' } });
  t.deepEqual(lines, [['webhook test received: run.completed d1']]);

  const onTest = () => Promise.reject(new Error('no'));
  const failing = createReceiver({ secret, onTest, onError: () => {} });
  t.like(await failing.handle(one), { status: 500, body: { error: 'handler_failed' } });
  t.is(lines.length, 1);
});

test('a request that is not a POST gets 405 and is not verified', async (t) => {
  const receiver = createReceiver({ secret, onError: () => t.fail('nothing may be reported') });
  const response = await receiver.handle({ method: 'GET', rawBody: undefined, headers: {} });
  t.like(response, { status: 405, body: { error: 'method_not_allowed' }, headers: { allow: 'POST' } });
  t.like(await createReceiver({ secret }).handle({ ...(await delivery()), method: 'POST' }), { status: 200 });
});

test('createReceiver and on throw for invalid arguments', (t) => {
  t.throws(() => createReceiver({}), { code: 'missing_secret' });
  t.throws(() => createReceiver({ secret, toleranceSeconds: Number.NaN }), { instanceOf: RangeError });
  const misspelt = 'run.complete' as KnownEventName;
  t.throws(() => createReceiver({ secret }).on(misspelt, () => {}), { instanceOf: TypeError, message: /onAny/ });
});

test('a rejected delivery gets the status of its failed check and is reported', async (t) => {
  const reports: [unknown, ErrorContext][] = [];
  const onError = (error: unknown, context: ErrorContext) => reports.push([(error as { code: unknown }).code, context]);
  const receiver = createReceiver({ secret, onError }).onAny(() => t.fail('no handler may run'));
  const { rawBody, headers } = await delivery();
  const old = await sign(rawBody, { secret, timestamp: new Date(Date.now() - 301_000) });
  const cases: [number, string, Delivery][] = [
    [400, 'invalid_payload', await delivery('{}')],
    [401, 'missing_header', { rawBody, headers: {} }],
    [401, 'invalid_timestamp', { rawBody, headers: { ...headers, 'x-flow-timestamp': 'x' } }],
    [401, 'timestamp_outside_tolerance', { rawBody, headers: old }],
    [401, 'invalid_signature_format', { rawBody, headers: { ...headers, 'x-flow-signature': 'x' } }],
    [401, 'signature_mismatch', { rawBody: payload(), headers }],
    [500, 'body_not_raw', { rawBody: undefined, headers }],
    [500, 'body_not_raw', { rawBody: {} as RawBody, headers }],
  ];
  for (const [status, error, one] of cases) {
    const response = await receiver.handle(one);
    t.like(response, { status, body: { error } });
    t.deepEqual(reports.pop(), [error, { status }]);
  }
});

test('a body larger than 1 MB in bytes gets 413 before any other check', async (t) => {
  const receiver = createReceiver({ secret });
  const tooLong = 'ü'.repeat(2 ** 19 + 1);
  for (const rawBody of [tooLong, new Uint8Array(2 ** 20 + 1), new ArrayBuffer(2 ** 20 + 1)]) {
    t.like(await receiver.handle({ rawBody, headers: {} }), { status: 413, body: { error: 'body_too_large' } });
  }
  t.like(await receiver.handle({ rawBody: new Uint8Array(2 ** 20), headers: {} }), { status: 401 });
});

test('a receiver with several secrets accepts a signature of any', async (t) => {
  const receiver = createReceiver({ secrets: ['new', secret] });
  t.like(await receiver.handle(await delivery()), { status: 200 });
});

test('concurrent attempts of one delivery are handled once, even with different timestamps', async (t) => {
  let runs = 0;
  const receiver = createReceiver({ secret }).onAny(async () => {
    runs += 1;
    await new Promise((resolve) => setImmediate(resolve));
  });
  const body = payload();
  const attempts = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const timestamp = new Date(Date.now() - i * 1000);
      return receiver.handle({ rawBody: body, headers: await sign(body, { secret, timestamp }) });
    }),
  );
  t.is(runs, 1);
  t.true(attempts.every(({ status }) => status === 200));
  t.is(attempts.filter(({ body }) => 'result' in body && body.result === 'duplicate').length, 19);
});

test('different deliveries are handled concurrently', async (t) => {
  let running = 0;
  const both = Promise.withResolvers<void>();
  const receiver = createReceiver({ secret }).onAny(async () => {
    running += 1;
    if (running === 2) both.resolve();
    // Ends only if the other handler runs meanwhile.
    await both.promise;
  });
  const responses = await Promise.all([receiver.handle(await delivery()), receiver.handle(await delivery())]);
  t.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  );
});

test.serial('a retry during a first attempt that fails gets its 500, and the next attempt is handled', async (t) => {
  const original = crypto.subtle.verify.bind(crypto.subtle);
  const verified: Promise<boolean>[] = [];
  crypto.subtle.verify = (...args: Parameters<typeof original>) => {
    const result = original(...args);
    verified.push(result);
    return result;
  };
  t.teardown(() => Reflect.deleteProperty(crypto.subtle, 'verify'));
  let runs = 0;
  const release = Promise.withResolvers<void>();
  const receiver = createReceiver({ secret, onError: () => {} }).onAny(async () => {
    runs += 1;
    if (runs > 1) return;
    await release.promise;
    throw new Error('first');
  });
  const one = await delivery();
  const attempts = [receiver.handle(one), receiver.handle(one)];
  await until(() => verified.length === 2, 'both verifications');
  await Promise.all(verified);
  // Until both attempts go on.
  await new Promise((resolve) => setImmediate(resolve));
  release.resolve();
  const both = await Promise.all(attempts);
  t.deepEqual(
    both.map(({ status }) => status),
    [500, 500],
  );
  t.is(runs, 1);

  t.deepEqual(await receiver.handle(one), { status: 200, body: { result: 'handled' } });
  t.deepEqual(await receiver.handle(one), { status: 200, body: { result: 'duplicate' } });
  t.is(runs, 2);
});

test('a handler that throws stops later handlers and is reported, and its message is not sent', async (t) => {
  const reports: [unknown, ErrorContext][] = [];
  const failure = new Error('password=canary');
  const receiver = createReceiver({ secret, onError: (error, context) => reports.push([error, context]) })
    .on('run.completed', () => {
      throw failure;
    })
    .onAny(() => t.fail('no handler may run'));
  const one = await delivery();
  const response = await receiver.handle(one);

  t.like(response, { status: 500, body: { error: 'handler_failed' } });
  t.notRegex(JSON.stringify(response), /canary/);
  t.is(reports.length, 1);
  t.is(reports[0]?.[0], failure);
  t.deepEqual(reports[0]?.[1], { status: 500, event: JSON.parse(one.rawBody as string) });
});

test('a sender gets its response even if onError throws', async (t) => {
  const down = new Error('reporting is down');
  const receiver = createReceiver({ secret, onError: () => Promise.reject(down) });
  receiver.onAny(() => Promise.reject(new Error('handler')));
  t.like(await receiver.handle(await delivery()), { status: 500 });
  t.like(await receiver.handle({ rawBody: '', headers: {} }), { status: 401 });
});

test.serial('without onError, failures are logged to console.error and rejected deliveries are not', async (t) => {
  const lines: unknown[][] = [];
  const original = console.error;
  console.error = (...args) => void lines.push(args);
  t.teardown(() => (console.error = original));

  const failure = new Error('x');
  const receiver = createReceiver({ secret }).onAny(() => Promise.reject(failure));
  await receiver.handle({ rawBody: '', headers: {} });
  t.deepEqual(lines, []);
  await receiver.handle(await delivery(payload({ deliveryId: 'd1' })));
  t.deepEqual(lines, [['webhook run.completed d1 failed:', failure]]);
});
