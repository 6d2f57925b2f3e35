import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { haveFailed } from '@runward/testing/webhooks/failed-deliveries';
import test from 'ava';
import { linesOf } from '../support/audit.ts';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

const past = () => new Date(Date.now() - 3_600_000).toISOString();

/** An organization with an ordered webhook, whose receiver responds only when it is told to. */
async function withHook(settings: object = {}) {
  const org = await newOrganization(app);
  const { api } = org;
  const { templateId } = await publishProcess(api);
  const waiting: ((status: number) => void)[] = [];
  const sent: string[] = [];
  let status: number | null = 200;
  const receiver = await startReceiver((_, { headers }) => (response) => {
    sent.push(String(headers['webhook-id']));
    const respond = (code: number) => void response.writeHead(code).end();
    if (status === null) waiting.push(respond);
    else respond(status);
  });
  const body = { name: 'Ledger', url: receiver.url, enabledEvents: ['run.started' as const], ...settings };
  const { id } = await must(api.call('webhooks', 'create', { body }));
  const launch = async (count: number) => {
    for (let n = 0; n < count; n += 1) await launchRun(api, templateId);
  };
  /** Responds with a status from now on, or not at all. */
  const respondWith = (next: number | null) => {
    status = next;
    for (const respond of next === null ? [] : waiting.splice(0)) respond(next ?? 200);
  };
  return {
    ...org,
    id,
    receiver,
    sent,
    /** Waits for this many requests. */
    hasSent: async (count: number) => {
      await until(() => sent.length === count, `${count} requests`).catch(async (error: Error) => {
        const found = (await deliveriesOf(api, id)).map((each) => `${each.id} ${each.status}`);
        throw new Error(`${error.message} Sent: ${sent.join(', ')}. Deliveries: ${found.join(', ')}.`);
      });
    },
    launch,
    respondWith,
    /** Launches runs whose deliveries have all failed when it resolves. */
    launchFailing: async (count: number) => {
      respondWith(500);
      for (let n = 1; n <= count; n += 1) {
        await launch(1);
        await haveFailed(app, id, n);
      }
    },
    feed: async () => (await must(api.call('events', 'list'))).data.filter(isStart).map(({ deliveryId }) => deliveryId),
    deliveries: () => deliveriesOf(api, id),
  };
}

const isStart = ({ event }: { readonly event: string }) => event === 'run.started';

/** The deliveries of a webhook, oldest first. */
async function deliveriesOf(api: Api, id: string) {
  return (await must(api.call('webhooks', 'webhookDeliveries', { params: { id } }))).data.toReversed();
}

test('an ordered webhook can be created, changed and read, and the audit log records the change', async (t) => {
  const { api, session, id, receiver } = await withHook({ ordered: true });
  await using _ = receiver;
  const params = { id };
  t.like(await must(api.call('webhooks', 'get', { params })), { ordered: true });
  t.like(await must(api.call('webhooks', 'update', { params, body: { name: 'Books' } })), { ordered: true });
  t.like(await must(api.call('webhooks', 'update', { params, body: { ordered: false } })), { ordered: false });
  const changed = (await linesOf(await session())).find(({ action }) => action === 'webhook.updated');
  t.like(changed, { before: { ordered: true }, after: { ordered: false } });
  await isRejected(t, api.raw('PATCH', `/webhooks/${id}`, { body: { ordered: 'yes' } }), 400, [
    'ordered: must be a boolean',
  ]);
});

test('a delivery that is sent again goes before pending ones of later events', async (t) => {
  const { receiver, sent, hasSent, launch, respondWith, feed, deliveries, api, id } = await withHook({ ordered: true });
  await using _ = receiver;
  await launch(3);
  await hasSent(3);
  respondWith(null);
  await launch(3);
  await hasSent(4);
  const [first] = await deliveries();
  await must(api.call('webhooks', 'resend', { params: { id, deliveryId: first?.id ?? '' } }));
  respondWith(200);
  await hasSent(7);
  const order = await feed();
  t.deepEqual(sent, order.toSpliced(4, 0, first?.deliveryId ?? ''));
});

test('replayed deliveries go before pending ones of later events, in order', async (t) => {
  const { receiver, sent, hasSent, launch, launchFailing, respondWith, feed, api, id } = await withHook({
    ordered: true,
  });
  await using _ = receiver;
  await launchFailing(3);
  respondWith(null);
  await launch(2);
  await hasSent(4);
  const replayed = await must(api.call('webhooks', 'replay', { params: { id }, body: { from: past() } }));
  t.is(replayed.count, 3);
  respondWith(200);
  await hasSent(8);
  const order = await feed();
  t.deepEqual(sent, [...order.slice(0, 4), ...order.slice(0, 3), ...order.slice(4)]);
});

test('a webhook that becomes ordered sends its pending deliveries in order, also replayed ones', async (t) => {
  const { receiver, sent, hasSent, launch, launchFailing, respondWith, feed, deliveries, api, id } = await withHook();
  await using _ = receiver;
  await launchFailing(4);
  respondWith(null);
  await launch(5);
  await hasSent(9);
  await launch(2);
  // The first eleven events are placed before the webhook becomes ordered, the others afterwards.
  await feed();
  await launch(2);
  await must(api.call('webhooks', 'update', { params: { id }, body: { ordered: true } }));
  await must(api.call('webhooks', 'replay', { params: { id }, body: { from: past() } }));
  // What was read before is sent for three seconds at most, however long the next read takes.
  await pause(3_100);
  respondWith(200);
  await until(async () => (await deliveries()).every(({ status }) => status === 'SUCCEEDED'), 'all');
  const order = await feed();
  t.deepEqual(sent.slice(9), [...order.slice(0, 4), ...order.slice(9)]);
});

test('a disabled ordered webhook sends nothing, and goes on in order when it is enabled', async (t) => {
  const { receiver, sent, hasSent, launch, respondWith, feed, deliveries, api, id } = await withHook({ ordered: true });
  await using _ = receiver;
  respondWith(410);
  await launch(1);
  await until(async () => (await deliveries())[0]?.status === 'FAILED', 'the 410');
  t.like(await must(api.call('webhooks', 'get', { params: { id } })), { enabled: false });
  await must(api.call('webhooks', 'update', { params: { id }, body: { enabled: true } }));
  respondWith(null);
  await launch(3);
  await hasSent(2);
  await must(api.call('webhooks', 'update', { params: { id }, body: { enabled: false } }));
  respondWith(200);
  await until(async () => (await deliveries())[1]?.status === 'SUCCEEDED', 'the second');
  await must(api.call('webhooks', 'test', { params: { id } }));
  await hasSent(3);
  t.deepEqual(
    (await deliveries()).slice(2, 4).map(({ status }) => status),
    ['PENDING', 'PENDING'],
  );
  await must(api.call('webhooks', 'update', { params: { id }, body: { enabled: true } }));
  await hasSent(5);
  t.deepEqual(sent.toSpliced(2, 1), await feed());
});

test('a webhook with more pending deliveries than one statement can update does not become ordered', async (t) => {
  const { receiver, organizationId, api, id } = await withHook({ enabled: false });
  await using _ = receiver;
  t.teardown(async () => {
    await app.provision.query('delete from webhook_deliveries where webhook_id = $1', [id]);
  });
  await app.provision.query(
    `insert into webhook_deliveries (webhook_id, id, record_id, organization_id, event, status, next_attempt_at, created_at)
     select $1, gen_random_uuid(), gen_random_uuid(), $2, 'run.started', 'PENDING', now(), now()
     from generate_series(1, 100001) n`,
    [id, organizationId],
  );
  const update = api.call('webhooks', 'update', { params: { id }, body: { ordered: true } });
  await isRejected(t, update, 400, [
    'ordered: 100,001 deliveries are pending, more than 100,000; set it when fewer are',
  ]);
  t.like(await must(api.call('webhooks', 'get', { params: { id } })), { ordered: false });
  t.is((await api.call('webhooks', 'delete', { params: { id } })).status, 204);
});
