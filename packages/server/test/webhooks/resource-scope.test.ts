import { scopes } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { haveFailed } from '@runward/testing/webhooks/failed-deliveries';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

test('a restricted key sees and resends only deliveries of its templates, also if the webhook had others before', async (t) => {
  const org = await newOrganization(app);
  const { templateId: own } = await publishProcess(org.api);
  const { templateId: other } = await publishProcess(org.api);
  await using receiver = await startReceiver(() => 500);
  const body = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
  const { id } = await must(org.api.call('webhooks', 'create', { body }));
  await launchRun(org.api, other);
  const testOfOther = await must(org.api.call('webhooks', 'test', { params: { id } }));
  const hidden = await launchRun(org.api, other);
  const shown = await launchRun(org.api, own);
  const all = async () => (await must(org.api.call('webhooks', 'webhookDeliveries', { params: { id } }))).data;
  await haveFailed(app, id, 4);
  const narrowed = { templateMode: 'SELECTED_TEMPLATES' as const, templateIds: [own] };
  await must(org.api.call('webhooks', 'update', { params: { id }, body: narrowed }));

  const key = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [own] });
  const listed = await must(key.call('webhooks', 'webhookDeliveries', { params: { id } }));
  t.is(listed.total, 1);
  t.true(JSON.stringify(listed.data[0]?.payload).includes(shown.id));
  t.is((await must(key.call('webhooks', 'deliveries', {}))).total, 1);

  const outside =
    "The API key's resource mode SELECTED_TEMPLATES does not grant access to this template; use a key that lists it or its folder.";
  const foreign = (await all()).filter(({ payload }) => !JSON.stringify(payload).includes(shown.id));
  t.is(foreign.length, 3);
  t.true(foreign.some(({ payload }) => JSON.stringify(payload).includes(hidden.id)));
  t.true(foreign.some((each) => each.id === testOfOther.id));
  for (const each of foreign) {
    const params = { id, deliveryId: each.id };
    await isRejected(t, key.call('webhooks', 'delivery', { params }), 403, outside);
    await isRejected(t, key.call('webhooks', 'resend', { params }), 403, outside);
  }
  const period = { from: new Date(Date.now() - 86_400_000).toISOString() };
  const replay = (dryRun: boolean) => key.call('webhooks', 'replay', { params: { id }, body: { ...period, dryRun } });
  t.is((await must(replay(true))).count, 1);
  t.is((await must(replay(false))).count, 1);
  const ofKey = await must(key.call('webhooks', 'test', { params: { id } }));
  t.is((await key.call('webhooks', 'delivery', { params: { id, deliveryId: ofKey.id } })).status, 200);
});
