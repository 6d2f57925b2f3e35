import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '@runward/testing/api';
import { createDatabase, startDatabaseProxy } from '@runward/testing/database';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver, type TestReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import type { TcpProxy } from '@runward/testing/tcp-proxy';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';

/** A service whose connection to the database can be interrupted, with a template that a webhook is subscribed to. */
async function interruptible(t: ExecutionContext) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const { proxy, url: databaseUrl } = await startDatabaseProxy(url);
  t.teardown(() => proxy[Symbol.asyncDispose]());
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-outage-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startServiceFor(t, dataDir, {
    DATABASE_URL: databaseUrl,
    WEBHOOK_ALLOW_LOCAL: 'true',
    WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s,1s',
    RATE_LIMIT_WRITES_PER_MINUTE: '100000',
  });
  const receiver = await startReceiver();
  t.teardown(() => receiver[Symbol.asyncDispose]());
  const api = service.api();
  const { templateId } = await publishProcess(api);
  const webhook = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
  await must(api.call('webhooks', 'create', { body: webhook }));
  return { service, proxy, receiver, api, templateId };
}

/** The status and message of a request. */
async function outcomeOf(
  request: Promise<{ status: number; error: { message: string | string[]; retryAfter?: number | undefined } }>,
) {
  const { status, error } = await request;
  return { status, message: String(error?.message), retryAfter: error?.retryAfter };
}

/** The runs that events have arrived of. */
function runsOf({ received }: TestReceiver): ReadonlySet<string> {
  return new Set(received.map(({ body }) => (JSON.parse(body) as { data: { runId: string } }).data.runId));
}

async function outage(t: ExecutionContext, begin: (proxy: TcpProxy) => void, seconds: number) {
  const { service, proxy, receiver, api, templateId } = await interruptible(t);
  const before = await launchRun(api, templateId);
  await receiver.wait(1);

  begin(proxy);
  const requests = (by: Api) => [
    outcomeOf(by.call('runs', 'list')),
    outcomeOf(by.call('runs', 'launch', { body: { templateId } })),
    outcomeOf(by.call('runs', 'get', { params: { id: before.id } })),
  ];
  const responses = await Promise.all(Array.from({ length: 10 }, () => requests(api)).flat());
  for (const { status, message } of responses) t.is(status, 503, message);
  t.is((await fetch(`${service.baseUrl}/health/live`)).status, 200);
  t.is((await fetch(`${service.baseUrl}/health/ready`)).status, 503);
  await pause(seconds * 1_000);
  proxy.restore();

  await until(
    async () => (await fetch(`${service.baseUrl}/health/ready`)).status === 200,
    'the service to be ready again',
  );
  const after = await launchRun(api, templateId);
  await until(() => receiver.received.some(({ body }) => body.includes(after.id)), 'the event after the outage');
  const { data } = await must(api.call('runs', 'list'));
  const heard = runsOf(receiver);
  await until(
    () => data.every(({ id }) => receiver.received.some(({ body }) => body.includes(id))),
    `the events of all ${data.length} runs, of which ${heard.size} came at once`,
  );
  t.is(service.child.exitCode, null);
  return responses;
}

test('requests fail immediately while the database is unreachable, and the service recovers without a restart', async (t) => {
  const responses = await outage(t, (proxy) => proxy.cut(), 1);
  t.true(responses.every(({ message, retryAfter }) => message.startsWith('The database') && retryAfter === 2));
});

test('requests fail within 6 s while the database hangs, and the service recovers without a restart', async (t) => {
  const responses = await outage(t, (proxy) => proxy.freeze(), 1);
  const messages = new Set(responses.map(({ message }) => message));
  t.true(messages.has('The database did not respond in time; retry in a moment.'), [...messages].join());
});

test('a lost connection fails at most one request', async (t) => {
  const { service, proxy, receiver, api, templateId } = await interruptible(t);
  for (let round = 0; round < 5; round += 1) {
    proxy.drop();
    await until(async () => (await api.call('runs', 'launch', { body: { templateId } })).status === 201, 'a launch');
  }
  const { total } = await must(api.call('runs', 'list'));
  // A webhook whose lease was lost with a connection is leased again when 15 s have passed.
  await until(() => runsOf(receiver).size >= total, `deliveries for ${total} runs`);
  t.true(total >= 5);
  t.is(service.child.exitCode, null);
});
