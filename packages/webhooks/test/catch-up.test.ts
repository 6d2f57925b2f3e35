import { createServer, type IncomingMessage } from 'node:http';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { CatchUpError, createReceiver, memoryDuplicateStore, type WebhookEvent } from '../src/index.ts';
import { delivery, listen, payload, secret } from './support.ts';

const app = useApp(test);

/** An answer of the feed: a page, or a status with headers. */
type Answer = { events: readonly string[]; after: string; hasMore?: boolean } | [status: number, retryAfter?: string];

/** A feed that gives these answers, one after another, and keeps what it was asked. */
async function startFeed(t: ExecutionContext, answers: Answer[]) {
  const asked: { after: string | null; key: string | undefined }[] = [];
  const server = createServer((req: IncomingMessage, res) => {
    const { searchParams } = new URL(req.url ?? '', 'http://feed');
    asked.push({ after: searchParams.get('after'), key: req.headers.authorization });
    const answer = answers.shift();
    if (answer === undefined) return void res.destroy();
    if (Array.isArray(answer)) {
      const [status, retryAfter] = answer;
      res.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
      return void res.end(JSON.stringify({ statusCode: status, message: ['no: so it is'] }));
    }
    const { events, after, hasMore = false } = answer;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ data: events.map((each) => JSON.parse(each) as unknown), hasMore, after }));
  });
  const baseUrl = await listen(t, server);
  return { asked, from: { baseUrl: `${baseUrl}/`, apiKey: 'sk_test' } };
}

test('what was not delivered is handled from the feed, what was is a duplicate, and nothing is handled twice', async (t) => {
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
  t.like(first, { handled: 2, duplicates: 1 });
  t.deepEqual(seen, [`started ${run.id} 1`, `completed ${run.id} true`]);
  t.like(await receiver.catchUp({ ...from, after }), { handled: 0, duplicates: 3 });
  t.like(await receiver.catchUp({ ...from, after: first.after }), { handled: 0, duplicates: 0 });
  t.is(seen.length, 2);
});

test('all pages are read in order, and progress is told after each', async (t) => {
  const [a, b, c] = ['a', 'b', 'c'].map((deliveryId) => payload({ deliveryId })) as [string, string, string];
  const { from, asked } = await startFeed(t, [
    { events: [a, b], after: 'one', hasMore: true },
    { events: [c, a], after: 'two' },
  ]);
  const seen: string[] = [];
  const told: unknown[] = [];
  const receiver = createReceiver({ secret }).onAny(({ deliveryId }) => void seen.push(deliveryId));
  const onProgress = async (progress: unknown) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    told.push([progress, seen.length]);
  };
  t.deepEqual(await receiver.catchUp({ ...from, onProgress }), { handled: 3, duplicates: 1, after: 'two' });
  t.deepEqual(seen, ['a', 'b', 'c']);
  t.deepEqual(asked, [
    { after: null, key: 'Bearer sk_test' },
    { after: 'one', key: 'Bearer sk_test' },
  ]);
  t.deepEqual(told, [
    [{ handled: 2, duplicates: 0, after: 'one' }, 2],
    [{ handled: 3, duplicates: 1, after: 'two' }, 3],
  ]);
});

test('with since, older events are skipped', async (t) => {
  const events = ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z'].map((timestamp) => payload({ timestamp }));
  const { from } = await startFeed(t, [{ events, after: 'end' }]);
  const receiver = createReceiver({ secret });
  const since = new Date('2026-03-01T10:00:00Z');
  t.deepEqual(await receiver.catchUp({ ...from, since }), { handled: 1, duplicates: 0, after: 'end' });
});

test('a handler that fails ends it; from the cursor of the error on, all is handled once', async (t) => {
  const [a, b, c] = ['a', 'b', 'c'].map((deliveryId) => payload({ deliveryId })) as [string, string, string];
  const rest = { events: [b, c], after: 'two' };
  const { from, asked } = await startFeed(t, [{ events: [a], after: 'one', hasMore: true }, rest, rest]);
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
  t.regex(error.message, /run\.completed c from the feed failed: the disk is full\. .* go on after one\./);
  t.like(reports, [[failure, { deliveryId: 'c' }]]);
  works = true;
  t.deepEqual(await receiver.catchUp({ ...from, after: error.after }), { handled: 1, duplicates: 1, after: 'two' });
  t.deepEqual(seen, ['a', 'b', 'c']);
  t.is(asked[2]?.after, 'one');
});

test('an event that is being handled already is waited for, and shares its fate', async (t) => {
  const body = payload();
  const { from } = await startFeed(t, [{ events: [body], after: 'end' }]);
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const receiver = createReceiver({ secret, onError: () => {} }).onAny(async () => {
    started.resolve();
    await release.promise;
    throw new Error('no');
  });
  const delivered = receiver.handle(await delivery(body));
  await started.promise;
  const catchingUp = receiver.catchUp(from);
  setTimeout(release.resolve, 100);
  await t.throwsAsync(catchingUp, { instanceOf: CatchUpError });
  t.is((await delivered).status, 500);
});

test('waits as Retry-After says, tries again what may pass, gives up what will not', async (t) => {
  const page = { events: [payload()], after: 'end' };
  const receiver = createReceiver({ secret, duplicates: memoryDuplicateStore({ max: 1 }) });
  const { from, asked } = await startFeed(t, [[429, '1'], [503, '0'], [500], page]);
  const start = Date.now();
  t.like(await receiver.catchUp(from), { handled: 1 });
  t.true(Date.now() - start >= 1_000);
  t.is(asked.length, 4);

  const refusing = await startFeed(t, [[400]]);
  const refused = await t.throwsAsync(receiver.catchUp({ ...refusing.from, after: 'old' }), {
    instanceOf: CatchUpError,
  });
  t.is(refused.message, 'The feed of events could not be read: The service answered 400: no: so it is');
  t.is(refused.after, 'old');
  for (const answer of [[302], [401], [403], [429, '61']] as Answer[]) {
    const one = await startFeed(t, [answer, page]);
    await t.throwsAsync(receiver.catchUp(one.from), { instanceOf: CatchUpError });
    t.is(one.asked.length, 1);
  }
});

test('a connection that is lost is tried five times', async (t) => {
  const { from, asked } = await startFeed(t, []);
  const error = await t.throwsAsync(createReceiver({ secret }).catchUp(from), { instanceOf: CatchUpError });
  t.is(asked.length, 5);
  t.regex(error.message, /could not be read: fetch failed \(.+\)\. Check that `baseUrl` is right\./);
});

test('mistakes in the options, and pages of something else, say what to do', async (t) => {
  const receiver = createReceiver({ secret });
  const from = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' };
  const wrong = (options: object, message: RegExp) =>
    t.throwsAsync(receiver.catchUp({ ...from, ...options }), { message });
  await wrong({ baseUrl: undefined }, /`baseUrl` must be the address/);
  await wrong({ apiKey: undefined }, /webhooks:manage/);
  await wrong({ since: new Date('x') }, /`since` must be a valid Date/);
  const fetch = async () => new Response('<html>');
  await wrong({ fetch }, /no page of events\. Check `baseUrl`/);
});
