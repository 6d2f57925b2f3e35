import { readFileSync } from 'node:fs';
import { deliveryPayload } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

const guide = readFileSync(new URL('../../../../docs/guides/webhooks.md', import.meta.url), 'utf8');

test('the guide to webhooks shows a body that creates one, and an event as the contract describes it', async (t) => {
  const [body = {}, event] = [...guide.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, json = '']) => JSON.parse(json));
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'Task' }]);
  const url = 'http://127.0.0.1:1/hook';
  const created = await must(api.call('webhooks', 'create', { body: { ...body, url, templateIds: [templateId] } }));
  t.like(created, { name: body.name, enabledEvents: body.enabledEvents, templateMode: body.templateMode });
  t.deepEqual(deliveryPayload.parse(event), event);
});
