import { json } from '@runward/testing/http-server';
import test from 'ava';
import { newClient } from './support/client.ts';

const webhook = { name: 'CRM', url: 'https://crm.example.com/hooks' };

test('methods take the words of the SDK, and requests carry the names of the API', async (t) => {
  const { runward, received } = await newClient(t, (res) => json(res, 200, { data: [], nextCursor: null }));
  const { templates, webhooks } = runward;
  await webhooks.create({ ...webhook, events: ['run.completed'] });
  await webhooks.create({ ...webhook, enabledEvents: ['run.completed'] });
  await webhooks.update('id', { events: ['run.completed'] });
  await webhooks.update('id', { enabled: false });
  t.deepEqual(
    received.map(({ body }) => JSON.parse(body)),
    [
      { ...webhook, enabledEvents: ['run.completed'] },
      { ...webhook, enabledEvents: ['run.completed'] },
      { enabledEvents: ['run.completed'] },
      { enabled: false },
    ],
  );
  await templates.list({ search: 'Onboarding' });
  await templates.list({ name: 'Onboarding' });
  t.deepEqual(
    received.slice(4).map(({ url }) => url),
    ['/templates?name=Onboarding', '/templates?name=Onboarding'],
  );
  // @ts-expect-error -- a webhook needs events
  await webhooks.create(webhook);
});

test('a property that is given by both of its names is an error', async (t) => {
  const { runward } = await newClient(t, (res) => json(res, 200, {}));
  await t.throwsAsync(
    async () => runward.webhooks.create({ ...webhook, events: ['run.completed'], enabledEvents: ['run.started'] }),
    { message: 'webhooks.create: `events` and `enabledEvents` are the same property; send one of them.' },
  );
});

test('delete has its earlier name, too', async (t) => {
  const { runward, received } = await newClient(t, (res) => res.writeHead(204).end());
  await runward.webhooks.delete('id');
  // oxlint-disable-next-line typescript/no-deprecated -- this is what is tested
  await runward.webhooks.remove('id');
  t.deepEqual(
    received.map(({ method, url }) => `${method} ${url}`),
    ['DELETE /webhooks/id', 'DELETE /webhooks/id'],
  );
});
