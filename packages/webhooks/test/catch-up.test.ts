import { contract } from '@runward/contract';
import { fail, json, startServer } from '@runward/testing/http-server';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test, { type ExecutionContext } from 'ava';
import { catchUp } from '../src/catch-up.ts';
import { CatchUpError, createReceiver, type CatchUpOptions, type WebhookEvent } from '../src/index.ts';
import { delivery, payload, secret } from './support.ts';

const app = useSharedApp(test);

/** A response of the feed: a page, or a status with Retry-After. */
type FeedResponse =
  | { events: readonly string[]; after: string; hasMore?: boolean }
  | [status: number, retryAfter?: string];

/** A feed that sends these responses in order, then breaks connections. */
async function startFeed(t: ExecutionContext, responses: FeedResponse[]) {
  const { baseUrl, received } = await startServer(t, (res, _request, index) => {
    const response = responses[index];
    if (response === undefined) return res.destroy();
    if (Array.isArray(response)) {
      const [status, retryAfter] = response;
      return fail(res, status, { message: ['limit: too large'] }, retryAfter ? { 'retry-after': retryAfter } : {});
    }
    json(res, 200, pageOf(response));
  });
  const requests = () => received.map(({ url, headers }) => [url, headers.authorization]);
  return { requests, from: { baseUrl: `${baseUrl}/`, apiKey: 'sk_test' } };
}

function pageOf({ events, after, hasMore = false }: Exclude<FeedResponse, unknown[]>) {
  return { data: events.map((each) => JSON.parse(each) as unknown), hasMore, after };
}

/** Calls `catchUp` on a receiver that handles every event. Waits are recorded and skipped. */
async function catchUpWithoutWaiting(options: CatchUpOptions) {
  const waits: number[] = [];
  const result = await catchUp(
    async () => 'handled',
    options,
    async (ms) => waits.push(ms),
  ).catch((error: unknown) => error);
  return { result, waits };
}

test('catchUp handles events that were not delivered, once, and skips delivered ones as duplicates', async (t) => {
  const { api, apiKey, signingSecret } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }]);
  const seen: string[] = [];
  const receiver = createReceiver({ secret: signingSecret })
    .on('run.started', ({ data }) => void seen.push(`started ${data.runId} ${data.sequence}`))
    .on('run.completed', ({ data }) => void seen.push(`completed ${data.runId} ${data.sequence > 1}`));
  const from = { baseUrl: app.baseUrl, apiKey };
  const { after } = await receiver.catchUp({ ...from, after: 'now' });

  await using hook = await startReceiver();
  const settings = { name: 'Hook', url: hook.url, enabledEvents: ['run.started' as const] };
  await must(api.call('webhooks', 'create', { body: settings }));
  const run = await launchRun(api, templateId);
  const [delivered] = await hook.wait(1);
  const { body: rawBody = '', headers = {} } = delivered ?? {};
  t.like(await receiver.handle({ rawBody, headers }), { status: 200 });
  const params = { taskId: run.byTitle('A').runTaskId };
  await must(api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));

  const first = await receiver.catchUp({ ...from, after });
  t.like(first, { handled: 1, duplicates: 1, ignored: 2 });
  t.deepEqual(seen, [`started ${run.id} 1`, `completed ${run.id} true`]);
  t.like(await receiver.catchUp({ ...from, after }), { handled: 0, duplicates: 2, ignored: 2 });
  t.like(await receiver.catchUp({ ...from, after: first.after }), { handled: 0, duplicates: 0 });
  t.is(seen.length, 2);
});

test('catchUp reads all pages in order and awaits onProgress after each', async (t) => {
  const [a, b, c] = ['a', 'b', 'c'].map((deliveryId) => payload({ deliveryId })) as [string, string, string];
  const { from, requests } = await startFeed(t, [
    { events: [a, b], after: 'one', hasMore: true },
    { events: [c, a], after: 'two' },
  ]);
  const seen: string[] = [];
  const reported: unknown[] = [];
  const receiver = createReceiver({ secret }).onAny(({ deliveryId }) => void seen.push(deliveryId));
  const onProgress = async (progress: unknown) => {
    await new Promise((resolve) => setImmediate(resolve));
    reported.push([progress, seen.length]);
  };
  t.deepEqual(await receiver.catchUp({ ...from, onProgress }), { handled: 3, duplicates: 1, ignored: 0, after: 'two' });
  t.deepEqual(seen, ['a', 'b', 'c']);
  const { path } = contract.events.list;
  t.deepEqual(requests(), [
    [path, 'Bearer sk_test'],
    [`${path}?after=one`, 'Bearer sk_test'],
  ]);
  t.deepEqual(reported, [
    [{ handled: 2, duplicates: 0, ignored: 0, after: 'one' }, 2],
    [{ handled: 3, duplicates: 1, ignored: 0, after: 'two' }, 3],
  ]);
});

test('catchUp counts events without a handler as ignored', async (t) => {
  const events = ['run.started', 'run.completed', 'run.paused'].map((event) => payload({ event }));
  const { from } = await startFeed(t, [{ events, after: 'end' }]);
  const receiver = createReceiver({ secret }).on('run.completed', () => {});
  t.deepEqual(await receiver.catchUp(from), { handled: 1, duplicates: 0, ignored: 2, after: 'end' });
});

test('catchUp with since skips older events', async (t) => {
  const events = ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z'].map((timestamp) => payload({ timestamp }));
  const { from } = await startFeed(t, [{ events, after: 'end' }]);
  const receiver = createReceiver({ secret }).onAny(() => {});
  const since = new Date('2026-03-01T10:00:00Z');
  t.like(await receiver.catchUp({ ...from, since }), { handled: 1, after: 'end' });
});

test('catchUp stops at a handler that fails, and resumes from the cursor of the error', async (t) => {
  const [a, b, c] = ['a', 'b', 'c'].map((deliveryId) => payload({ deliveryId })) as [string, string, string];
  const rest = { events: [b, c], after: 'two' };
  const { from, requests } = await startFeed(t, [{ events: [a], after: 'one', hasMore: true }, rest, rest]);
  const failure = new Error('the disk is full');
  let works = false;
  const seen: string[] = [];
  const reports: [unknown, WebhookEvent | undefined][] = [];
  const receiver = createReceiver({ secret, onError: (error, { event }) => reports.push([error, event]) });
  receiver.onAny(({ deliveryId }) => {
    if (deliveryId === 'c' && !works) throw failure;
    seen.push(deliveryId);
  });

  const error = await t.throwsAsync(receiver.catchUp(from), { instanceOf: CatchUpError });
  t.like(error, { after: 'one', cause: failure });
  t.regex(
    error.message,
    /run\.completed c from the feed failed: the disk is full\. .* call catchUp with `after`: 'one'\./,
  );
  t.like(reports, [[failure, { deliveryId: 'c' }]]);
  works = true;
  t.deepEqual(await receiver.catchUp({ ...from, after: error.after }), {
    handled: 1,
    duplicates: 1,
    ignored: 0,
    after: 'two',
  });
  t.deepEqual(seen, ['a', 'b', 'c']);
  t.is(requests()[2]?.[0], `${contract.events.list.path}?after=one`);
});

test('catchUp waits for an event that is being handled, and fails if its handler does', async (t) => {
  const body = payload();
  let runs = 0;
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const receiver = createReceiver({ secret, onError: () => {} }).onAny(async () => {
    runs += 1;
    started.resolve();
    await release.promise;
    throw new Error('no');
  });
  const delivered = receiver.handle(await delivery(body));
  await started.promise;
  const fetch = async () =>
    Object.assign(new Response(), {
      text: async () => {
        // After the page was processed up to the first event.
        setImmediate(release.resolve);
        return JSON.stringify(pageOf({ events: [body], after: 'end' }));
      },
    });
  const catchingUp = receiver.catchUp({ baseUrl: 'http://127.0.0.1:1', apiKey: 'sk_test', fetch });
  await t.throwsAsync(catchingUp, { instanceOf: CatchUpError });
  t.is((await delivered).status, 500);
  t.is(runs, 1);
});

test('catchUp retries transient errors after the wait of Retry-After, or an increasing one', async (t) => {
  const page = { events: [payload()], after: 'end' };
  const { from, requests } = await startFeed(t, [[429, '60'], [503, '0'], [500], page]);
  const { result, waits } = await catchUpWithoutWaiting(from);
  t.like(result, { handled: 1 });
  t.deepEqual(waits, [60_000, 0, 2000]);
  t.is(requests().length, 4);
});

for (const response of [[302], [400], [401], [403], [429, '61']] as const) {
  const after = response[1] === undefined ? '' : ` and Retry-After ${response[1]}`;
  test(`catchUp rejects without a retry after status ${response[0]}${after}`, async (t) => {
    const { from, requests } = await startFeed(t, [[...response], { events: [], after: 'end' }]);
    const { result, waits } = await catchUpWithoutWaiting({ ...from, after: 'old' });
    t.true(result instanceof CatchUpError && result.after === 'old');
    if (response[0] !== 302) {
      t.is(
        (result as Error).message,
        `The event feed could not be read: The service returned ${response[0]}: limit: too large`,
      );
    }
    t.deepEqual([requests().length, waits], [1, []]);
  });
}

test('catchUp rejects after five lost connections', async (t) => {
  const { from, requests } = await startFeed(t, []);
  const { result, waits } = await catchUpWithoutWaiting(from);
  t.true(result instanceof CatchUpError);
  t.regex((result as Error).message, /could not be read: fetch failed \(.+\)\. Check `baseUrl`\./);
  t.is(requests().length, 5);
  t.deepEqual(waits, [500, 1000, 2000, 4000]);
});

test('catchUp of a receiver waits before a retry', async (t) => {
  const { from } = await startFeed(t, [[500], { events: [], after: 'end' }]);
  const events: string[] = [];
  const fetch: typeof globalThis.fetch = (...args) => {
    events.push('request');
    setTimeout(() => events.push('a shorter timer'), 1);
    return globalThis.fetch(...args);
  };
  await createReceiver({ secret }).catchUp({ ...from, fetch });
  t.deepEqual(events.slice(0, 3), ['request', 'a shorter timer', 'request']);
});

test('catchUp rejects invalid options, and a response that is not a page, with the remedy', async (t) => {
  const receiver = createReceiver({ secret });
  const from = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' };
  const wrong = (options: object, message: RegExp) =>
    t.throwsAsync(receiver.catchUp({ ...from, ...options }), { message });
  await wrong({ baseUrl: undefined }, /`baseUrl` must be the address/);
  await wrong({ apiKey: undefined }, /webhooks:manage/);
  await wrong({ since: new Date('x') }, /`since` must be a valid Date/);
  const fetch = async () => new Response('<html>');
  await wrong({ fetch }, /not a page of events\. Check `baseUrl`/);
});
