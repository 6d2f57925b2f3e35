import type { ServerResponse } from 'node:http';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test from 'ava';
import { Webhook } from '../../src/webhooks/entities/webhook.ts';
import { adminIn } from '../support/admin.ts';

const app = useApp(test);

const setPlan = (plan: string, organizationId: string) =>
  adminIn({ DATABASE_URL: app.databaseUrl }).json(['plan', 'set', plan, '--organization', organizationId]);

async function newWebhook(api: Api, url: string) {
  const body = { name: 'Hook', url, enabledEvents: ['run.started' as const] };
  return must(api.call('webhooks', 'create', { body }));
}

const deliveriesOf = async (api: Api, id: string) =>
  (await must(api.call('webhooks', 'webhookDeliveries', { params: { id } }))).data;

/** The runs of received deliveries. */
const runIdsOf = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => (JSON.parse(body) as { data: { runId: string } }).data.runId);

for (const plan of ['FREE', 'PRO']) {
  test.serial(
    `on ${plan} webhooks are paused; when the plan includes them again, all events are delivered, oldest first`,
    async (t) => {
      const org = await newOrganization(app);
      const { templateId } = await publishProcess(org.api);
      const held: ServerResponse[] = [];
      await using receiver = await startReceiver(() => (response) => void held.push(response));
      const webhook = await newWebhook(org.api, receiver.url);
      t.is(webhook.pausedReason, null);
      const session = await org.session();

      await setPlan(plan, org.organizationId);
      const paused = await must(session.call('webhooks', 'get', { params: { id: webhook.id } }));
      t.deepEqual(paused, { ...webhook, pausedReason: 'PLAN' });
      t.deepEqual((await must(session.call('webhooks', 'list'))).data, [paused]);
      const runIds: string[] = [];
      for (let count = 0; count < 8; count += 1) runIds.push((await launchRun(session, templateId)).id);
      await app.dispatcher.tick();

      t.is(receiver.received.length, 0);
      const waiting = await deliveriesOf(session, webhook.id);
      t.deepEqual(
        waiting.map(({ status, attempts }) => [status, attempts.length]),
        runIds.map(() => ['PENDING', 0]),
      );

      await setPlan('BUSINESS', org.organizationId);
      t.deepEqual(await must(session.call('webhooks', 'get', { params: { id: webhook.id } })), webhook);
      app.dispatcher.notify();
      await receiver.wait(5);
      t.deepEqual(runIdsOf(receiver.received).toSorted(), runIds.slice(0, 5).toSorted());
      for (let sent = 0; sent < runIds.length; sent += 1) {
        const response = await until(() => held[sent], 'the next request');
        response.writeHead(200).end();
      }
      await until(
        async () => (await deliveriesOf(session, webhook.id)).every(({ status }) => status === 'SUCCEEDED'),
        'all deliveries',
      );
      t.deepEqual(runIdsOf(receiver.received).toSorted(), runIds.toSorted());
      const { data } = await must(org.api.call('events', 'list', { query: { events: ['run.started'] } }));
      t.deepEqual(
        data.map((event) => event.data.runId),
        runIds,
      );
    },
  );
}

test.serial('a failure before the plan changed does not disable a webhook after it changed back', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  await using receiver = await startReceiver(() => 500);
  const { id } = await newWebhook(org.api, receiver.url);
  const failingSince = new Date(Date.now() - 6 * 86_400_000);
  await app.database.em.fork().nativeUpdate(Webhook, { id }, { failingSince });

  await setPlan('PRO', org.organizationId);
  await setPlan('ENTERPRISE', org.organizationId);
  await launchRun(org.api, templateId);
  await until(async () => (await deliveriesOf(org.api, id))[0]?.attempts.length === 1, 'the failure');

  t.like(await must(org.api.call('webhooks', 'get', { params: { id } })), { enabled: true, disabledReason: null });
});
