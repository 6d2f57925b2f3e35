import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../../support/expect-rejection.ts';

const app = useSharedApp(test);

test('the lists of runs and deliveries are newest first by createdAt after concurrent launches', async (t) => {
  await using receiver = await startReceiver();
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const enabledEvents = ['run.started' as const];
  await must(api.call('webhooks', 'create', { body: { name: 'Webhook', url: receiver.url, enabledEvents } }));
  let left = 160;
  const launchAll = async () => {
    while (left > 0) {
      left -= 1;
      await must(api.call('runs', 'launch', { body: { templateId } }));
    }
  };
  await Promise.all(Array.from({ length: 16 }, launchAll));

  const runs = await must(api.call('runs', 'list', { query: { templateId } }));
  const deliveries = await must(api.call('webhooks', 'deliveries'));
  for (const { data, total } of [runs, deliveries]) {
    t.is(total, 160);
    const times = data.map(({ createdAt }) => createdAt);
    t.deepEqual(times, times.toSorted().reverse());
  }
});

test('null for an option of a launch is the same as leaving it out', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }], { name: 'Hire' }, [
    { key: 'region', defaultValue: 'EU' },
  ]);
  const options = { title: null, ownerEmail: null, scheduledDateLocal: null, variables: null };
  const params = { id: templateId };
  for (const launched of [
    await must(api.call('runs', 'launch', { body: { templateId, ...options } })),
    await must(api.call('templates.runs', 'launch', { params, body: { templateId: null, ...options } })),
  ]) {
    t.like(launched, { title: 'Hire', ownerUserId });
    const run = { id: launched.id };
    t.is((await must(api.call('runs', 'get', { params: run }))).scheduledDateLocal, launched.createdAt.slice(0, 10));
    t.is((await must(api.call('runs', 'variables', { params: run }))).data[0]?.value, 'EU');
  }
});

test('an unknown owner and unknown variables are validation errors with paths', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }], {}, [{ key: 'region' }, { key: 'rush' }]);
  const body = { templateId, ownerEmail: 'no@no.example', variables: { region: 'EU', nope: 1, size: 2 } };
  await isRejected(t, api.call('runs', 'launch', { body }), 400, [
    'ownerEmail: no@no.example is not an active member of this organization; see GET /users',
    'variables.nope: unknown flow variable; the template defines region, rush',
    'variables.size: unknown flow variable; the template defines region, rush',
  ]);
  t.is((await must(api.call('runs', 'counts'))).total, 0);
});
