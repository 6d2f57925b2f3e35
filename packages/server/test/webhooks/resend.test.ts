import { randomUUID } from 'node:crypto';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { haveFailed } from '@runward/testing/webhooks/failed-deliveries';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

async function hookOf(api: Api, url: string) {
  const body = { name: 'Hook', url, enabledEvents: ['run.started' as const, 'run.cancelled' as const] };
  return (await must(api.call('webhooks', 'create', { body }))).id;
}

async function deliveriesOf(api: Api, id: string) {
  return (await must(api.call('webhooks', 'webhookDeliveries', { params: { id } }))).data;
}

const past = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test('a resent delivery keeps its id, bytes and attempts and restarts its schedule', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  let works = false;
  await using receiver = await startReceiver(() => (works ? 200 : 500));
  const id = await hookOf(api, receiver.url);
  await launchRun(api, templateId);
  await haveFailed(app, id, 1);
  const [failed] = await deliveriesOf(api, id);
  const params = { id, deliveryId: failed?.id ?? '' };

  t.like(await must(api.call('webhooks', 'resend', { params })), { id: failed?.id, status: 'PENDING' });
  await haveFailed(app, id, 1);
  works = true;
  await must(api.call('webhooks', 'resend', { params }));
  await until(async () => (await deliveriesOf(api, id))[0]?.status === 'SUCCEEDED', 'a success');
  const [sent] = await deliveriesOf(api, id);
  t.deepEqual(
    sent?.attempts.map(({ statusCode }) => statusCode),
    [500, 500, 200],
  );
  t.is(new Set(receiver.received.map(({ body }) => body)).size, 1);
  t.deepEqual(await must(api.call('webhooks', 'delivery', { params })), sent);

  // A successful delivery can be resent as well, for example after a loss of data at the receiver.
  await must(api.call('webhooks', 'resend', { params }));
  await receiver.wait(4);
});

test('a delivery that cannot be resent now is rejected with the reason', async (t) => {
  const { api } = await newOrganization(app);
  const stranger = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  await using receiver = await startReceiver();
  const id = await hookOf(api, receiver.url);
  await launchRun(api, templateId);
  await until(async () => (await deliveriesOf(api, id))[0]?.status === 'SUCCEEDED', 'the delivery');
  const deliveryId = (await deliveriesOf(api, id))[0]?.id ?? '';
  const resend = (by: Api, params: { id: string; deliveryId: string }) => by.call('webhooks', 'resend', { params });

  await isRejected(t, resend(api, { id, deliveryId: randomUUID() }), 404, 'Delivery not found.');
  await isRejected(t, resend(api, { id: randomUUID(), deliveryId }), 404, 'Webhook not found.');
  const read = (params: { id: string; deliveryId: string }) => api.call('webhooks', 'delivery', { params });
  await isRejected(t, read({ id, deliveryId: randomUUID() }), 404, 'Delivery not found.');
  await isRejected(t, resend(stranger.api, { id, deliveryId }), 404, 'Webhook not found.');
  const another = await hookOf(api, receiver.url);
  await isRejected(t, resend(api, { id: another, deliveryId }), 404, 'Delivery not found.');

  const lease = `update webhooks set lease_token = gen_random_uuid(), leased_until = now() + interval '1 min' where id = $1`;
  await app.provision.query(lease, [id]);
  const setStatus = (status: string, nextAttemptAt: Date | null) =>
    app.provision.query('update webhook_deliveries set status = $2, next_attempt_at = $3 where record_id = $1', [
      deliveryId,
      status,
      nextAttemptAt,
    ]);
  await setStatus('PENDING', new Date());
  t.is((await deliveriesOf(api, id))[0]?.nextAttemptAt, null);
  const underWay = 'An attempt of this delivery is in progress; wait for its result.';
  await isRejected(t, resend(api, { id, deliveryId }), 400, underWay);
  await setStatus('FAILED', null);

  await must(api.call('webhooks', 'update', { params: { id }, body: { enabled: false } }));
  const disabled = 'The webhook is disabled and receives no deliveries; enable it first.';
  await isRejected(t, resend(api, { id, deliveryId }), 400, disabled);
  await isRejected(t, api.call('webhooks', 'replay', { params: { id }, body: { from: past(1) } }), 400, disabled);
  const params = { id };
  t.like(await must(api.call('webhooks', 'replay', { params, body: { from: past(1), dryRun: true } })), { count: 1 });
});

test('a replay counts and resends the failed deliveries of a period and no others', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  let works = false;
  await using receiver = await startReceiver(() => (works ? 200 : 500));
  const id = await hookOf(api, receiver.url);
  const runs = [];
  for (let n = 1; n <= 3; n += 1) {
    runs.push(await launchRun(api, templateId));
    await haveFailed(app, id, n);
  }
  await must(api.call('runs', 'cancel', { params: { id: runs[0]?.id ?? '' } }));
  await haveFailed(app, id, 4);
  const [, newest, , oldest] = await deliveriesOf(api, id);
  const date = 'update webhook_deliveries set created_at = $2 where record_id = $1';
  await app.provision.query(date, [oldest?.id, past(2)]);
  works = true;
  const sent = receiver.received.length;

  const params = { id };
  const replay = async (body: object) =>
    must(api.call('webhooks', 'replay', { params, body: { from: past(1), ...body } }));
  t.deepEqual(await replay({ dryRun: true }), { dryRun: true, count: 3 });
  t.deepEqual(await replay({ dryRun: true, from: past(3) }), { dryRun: true, count: 4 });
  t.deepEqual(await replay({ dryRun: true, from: past(3), to: past(1) }), { dryRun: true, count: 1 });
  t.deepEqual(await replay({ dryRun: true, events: ['run.cancelled'] }), { dryRun: true, count: 1 });
  t.is((await deliveriesOf(api, id)).filter(({ status }) => status === 'FAILED').length, 4);

  t.deepEqual(await replay({ events: ['run.started'] }), { dryRun: false, count: 2 });
  await until(
    async () => (await deliveriesOf(api, id)).filter(({ status }) => status === 'SUCCEEDED').length === 2,
    'both',
  );
  t.is(receiver.received.length, sent + 2);
  t.true((await deliveriesOf(api, id)).some((each) => each.id === newest?.id && each.status === 'SUCCEEDED'));
  t.deepEqual(await replay({ events: ['run.started'] }), { dryRun: false, count: 0 });
  const backwards = api.call('webhooks', 'replay', { params, body: { from: past(1), to: past(2) } });
  await isRejected(t, backwards, 400, ['to: must be later than from']);
});

test('a replay is rejected if there are more failed deliveries than one statement can update', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const id = await hookOf(api, 'http://127.0.0.1:1/');
  t.teardown(async () => {
    await app.provision.query('delete from webhook_deliveries where webhook_id = $1', [id]);
  });
  await app.provision.query(
    `insert into webhook_deliveries (webhook_id, id, record_id, organization_id, event, status, created_at)
     select $1, gen_random_uuid(), gen_random_uuid(), $2, 'run.started', 'FAILED', now() - make_interval(secs => n)
     from generate_series(1, 100001) n`,
    [id, organizationId],
  );
  const replay = (body: object) => api.call('webhooks', 'replay', { params: { id }, body: { from: past(3), ...body } });
  const { count } = await must(replay({ dryRun: true }));
  t.is(count, 100_001);
  const reason = '100,001 failed deliveries were created in this range, more than 100,000';
  await isRejected(t, replay({}), 400, [`to: ${reason}; choose an earlier end, then replay the rest`]);
  t.is(
    (await must(api.call('webhooks', 'webhookDeliveries', { params: { id }, query: { status: 'PENDING' } }))).total,
    0,
  );
  t.is((await api.call('webhooks', 'delete', { params: { id } })).status, 204);
});
