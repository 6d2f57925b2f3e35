import { randomUUID } from 'node:crypto';
import { eventData, eventNames } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { verify } from '@runward/webhooks';
import test from 'ava';

const app = useSharedApp(test);

/** A loopback URL without a server. */
const sketch = { name: 'Hook', url: 'http://127.0.0.1:1/hook', enabledEvents: ['run.started' as const] };

/** Registers a webhook and returns it. */
async function newWebhook(api: Api, settings: object = {}) {
  return must(api.call('webhooks', 'create', { body: { ...sketch, ...settings } }));
}

async function deliveriesOf(api: Api, id: string) {
  return (await must(api.call('webhooks', 'webhookDeliveries', { params: { id } }))).data;
}

test('a webhook is registered with its defaults and read back', async (t) => {
  const { api } = await newOrganization(app);
  const { status, body } = await api.call('webhooks', 'create', { body: sketch });

  t.is(status, 201);
  t.deepEqual(body, {
    ...sketch,
    id: body.id,
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    pausedReason: null,
    ordered: false,
    templateMode: 'ALL_FLOWS',
    templateIds: [],
    ownSecret: false,
    description: null,
    createdAt: body.createdAt,
    updatedAt: body.createdAt,
  });
  t.deepEqual(await must(api.call('webhooks', 'get', { params: { id: body.id } })), body);
});

test('webhooks are listed newest first, in pages', async (t) => {
  const { api } = await newOrganization(app);
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.unshift((await newWebhook(api, { name: `Hook ${n}` })).id);

  const first = await must(api.call('webhooks', 'list', { query: { limit: 2 } }));
  t.deepEqual(
    first.data.map(({ id }) => id),
    ids.slice(0, 2),
  );
  t.like(first, { total: 3, hasMore: true });
  const second = await must(api.call('webhooks', 'list', { query: { limit: 2, cursor: first.nextCursor ?? '' } }));
  t.deepEqual(
    second.data.map(({ id }) => id),
    ids.slice(2),
  );
  t.like(second, { total: 3, hasMore: false, nextCursor: null });
  t.is((await api.call('webhooks', 'list', { query: { cursor: 'nonsense' } })).status, 400);
});

test('PATCH changes only the given properties and checks the URL again', async (t) => {
  const { api } = await newOrganization(app);
  const webhook = await newWebhook(api, { description: 'kept' });
  const params = { id: webhook.id };

  const renamed = await must(api.call('webhooks', 'update', { params, body: { name: 'Other' } }));
  t.deepEqual({ ...renamed, updatedAt: '' }, { ...webhook, name: 'Other', updatedAt: '' });
  t.true(renamed.updatedAt > webhook.updatedAt);

  const rejected = await api.call('webhooks', 'update', { params, body: { name: 'No', url: 'https://10.0.0.1/' } });
  t.is(rejected.status, 400);
  t.regex(String(rejected.error.message), /^url: must resolve to a public address/);
  t.is((await must(api.call('webhooks', 'get', { params }))).name, 'Other');

  const body = {
    url: 'https://93.184.216.34/new',
    enabledEvents: ['task.overdue' as const],
    description: null,
    enabled: false,
  };
  t.like(await must(api.call('webhooks', 'update', { params, body })), body);
});

test('PATCH validates the stored URL of a webhook that is or becomes enabled', async (t) => {
  const { api } = await newOrganization(app);
  const { id } = await newWebhook(api);
  const update = (body: object) => api.call('webhooks', 'update', { params: { id }, body });
  const store = (url: string) => app.provision.query('update webhooks set url = $2 where id = $1', [id, url]);
  await store('https://10.0.0.1/');
  const before = await must(api.call('webhooks', 'get', { params: { id } }));

  for (const body of [{ name: 'Renamed' }, { enabled: true }, {}]) {
    const { status, error } = await update(body);
    t.is(status, 400);
    t.regex(String(error.message), /^url: must resolve to a public address/);
  }
  t.deepEqual(await must(api.call('webhooks', 'get', { params: { id } })), before);

  t.like(await must(update({ enabled: false })), { enabled: false });
  t.like(await must(update({ name: 'Renamed' })), { name: 'Renamed', enabled: false });
  t.is((await update({ enabled: true })).status, 400);
  t.like(await must(update({ enabled: true, url: sketch.url })), { enabled: true, url: sketch.url });
});

test('the URL is stored without spaces around it', async (t) => {
  const { api } = await newOrganization(app);
  t.is((await must(api.call('webhooks', 'create', { body: { ...sketch, url: ` ${sketch.url} ` } }))).url, sketch.url);
});

test('a URL that webhooks must not reach is rejected at registration', async (t) => {
  const { api } = await newOrganization(app);
  for (const url of ['http://example.com/', 'https://192.168.0.1/', 'https://a:b@93.184.216.34/', 'x']) {
    const { status, error } = await api.call('webhooks', 'create', { body: { ...sketch, url } });
    t.is(status, 400, url);
    t.regex([error.message].flat()[0] ?? '', /^url: /, url);
  }
  t.is((await must(api.call('webhooks', 'list'))).total, 0);
});

test('enabling a webhook clears disabledReason and sends pending deliveries', async (t) => {
  await using receiver = await startReceiver((count) => (count === 1 ? 410 : 200));
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id } = await newWebhook(api, { url: receiver.url });
  const params = { id };
  await launchRun(api, templateId);
  await until(async () => !(await must(api.call('webhooks', 'get', { params }))).enabled, 'the switch-off');
  const off = await must(api.call('webhooks', 'get', { params }));
  t.regex(off.disabledReason ?? '', /410/);
  t.truthy(off.disabledAt);

  const enabled = await must(api.call('webhooks', 'update', { params, body: { enabled: true } }));
  t.like(enabled, { enabled: true, disabledReason: null, disabledAt: null });
  const failing = await app.provision.query('select failing_since as since from webhooks where id = $1', [id]);
  t.deepEqual(failing, [{ since: null }]);
  await launchRun(api, templateId);
  await receiver.wait(2);
});

test('failures of a URL that is corrected do not count against the new one', async (t) => {
  const { api } = await newOrganization(app);
  const { id } = await newWebhook(api);
  await app.provision.query('update webhooks set failing_since = now() where id = $1', [id]);
  const failing = () =>
    app.provision.query('select failing_since is not null as failing from webhooks where id = $1', [id]);
  await must(api.call('webhooks', 'update', { params: { id }, body: { name: 'Renamed' } }));
  t.deepEqual(await failing(), [{ failing: true }]);
  await must(api.call('webhooks', 'update', { params: { id }, body: { url: 'https://93.184.216.34/corrected' } }));
  t.deepEqual(await failing(), [{ failing: false }]);
});

test('the events of a run reach the subscribed webhooks, signed, and are shown as delivered', async (t) => {
  await using receiver = await startReceiver();
  const { api, organizationId, signingSecret } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id } = await newWebhook(api, { url: receiver.url, enabledEvents: ['run.started', 'run.completed'] });
  await newWebhook(api, { url: receiver.url, enabledEvents: ['run.cancelled'] });
  const run = await launchRun(api, templateId);
  const [task] = run.tasks;
  const params = { taskId: task?.runTaskId ?? '' };
  await must(api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));

  await receiver.wait(2);
  await until(async () => (await deliveriesOf(api, id)).every(({ status }) => status === 'SUCCEEDED'), 'the records');
  const heard = await Promise.all(
    receiver.received.map(({ body, headers }) => verify(body, headers, { secret: signingSecret })),
  );
  t.deepEqual(heard.map(({ event }) => event).sort(), ['run.completed', 'run.started']);
  for (const event of heard) t.like(event, { orgId: organizationId, data: { runId: run.id, templateId } });

  const shown = await deliveriesOf(api, id);
  t.deepEqual(
    shown.map(({ event }) => event),
    ['run.completed', 'run.started'],
  );
  t.deepEqual(
    shown.map(({ payload }) => payload.deliveryId),
    shown.map(({ deliveryId }) => deliveryId),
  );
  t.deepEqual(
    shown.map(({ createdAt }) => createdAt),
    shown
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .toReversed(),
  );
  t.like(shown[0], { webhookId: id, nextAttemptAt: null, attempts: [{ statusCode: 200, responseBody: '' }] });
});

test('a test delivery has the shape of its event and is sent to a disabled webhook as well', async (t) => {
  await using receiver = await startReceiver();
  const { api, signingSecret } = await newOrganization(app);
  const { id } = await newWebhook(api, { url: receiver.url, enabled: false, enabledEvents: ['task.overdue'] });
  const params = { id };

  const sent = await must(api.call('webhooks', 'test', { params }));
  t.like(sent, { webhookId: id, event: 'task.overdue', status: 'PENDING', attempts: [] });
  await receiver.wait(1);
  for (const event of eventNames) await must(api.call('webhooks', 'test', { params, body: { event } }));
  await receiver.wait(1 + eventNames.length);

  for (const { body, headers } of receiver.received) {
    const { event, data } = await verify(body, headers, { secret: signingSecret });
    t.is(data['test'], true);
    t.true(eventData[event as (typeof eventNames)[number]].safeParse(data).success, event);
  }
  const events = receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
  t.deepEqual([...new Set(events)].sort(), [...eventNames].sort());
  t.is((await api.raw('POST', `/webhooks/${id}/test`, { body: { event: 'run.deleted' } })).status, 400);
});

test('a test delivery names the latest run of the webhook’s templates, and made-up ids without one', async (t) => {
  await using receiver = await startReceiver();
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { templateId: unused } = await publishProcess(api);
  await launchRun(api, templateId);
  const run = await launchRun(api, templateId);
  const { runTaskId, taskId } = run.byTitle('Only task');
  const dataFor = async (templateIds: string[], event: 'run.completed' | 'task.completed') => {
    const settings = { url: receiver.url, templateMode: 'SELECTED_TEMPLATES', templateIds };
    const { id } = await newWebhook(api, settings);
    const { payload } = await must(api.call('webhooks', 'test', { params: { id }, body: { event } }));
    return payload.data;
  };

  t.deepEqual<object, object>(await dataFor([templateId], 'run.completed'), {
    test: true,
    runId: run.id,
    templateId,
    sequence: 1,
  });
  t.like(await dataFor([templateId, unused], 'task.completed'), { runId: run.id, templateId, runTaskId, taskId });
  const madeUp = await dataFor([unused], 'task.completed');
  t.like(madeUp, { test: true, sequence: 1 });
  t.false([templateId, unused].includes(madeUp.templateId));
  t.is((await api.call('runs', 'get', { params: { id: madeUp.runId } })).status, 404);
});

test('a list leaves out deliveries whose events retention deletes meanwhile', async (t) => {
  const { api } = await newOrganization(app);
  const { id } = await newWebhook(api, { enabled: false });
  const [older, newer] = [
    await must(api.call('webhooks', 'test', { params: { id }, body: { event: 'run.started' } })),
    await must(api.call('webhooks', 'test', { params: { id }, body: { event: 'run.completed' } })),
  ];
  await app.provision.query('delete from events where id = $1', [older.deliveryId]);
  const { data, hasMore } = await must(api.call('webhooks', 'deliveries', {}));
  t.deepEqual(
    data.map((delivery) => delivery.id),
    [newer.id],
  );
  t.false(hasMore);
});

test('deliveries are listed across webhooks and filtered', async (t) => {
  await using receiver = await startReceiver((_, { url }) => (url === '/bad' ? 500 : 200));
  const { api } = await newOrganization(app);
  const good = (await newWebhook(api, { url: receiver.url })).id;
  const bad = (await newWebhook(api, { url: new URL('/bad', receiver.url).href })).id;
  for (const event of ['run.started', 'run.completed'] as const) {
    for (const id of [good, bad]) await must(api.call('webhooks', 'test', { params: { id }, body: { event } }));
  }
  await receiver.wait(4);
  const list = async (query = {}) => (await must(api.call('webhooks', 'deliveries', { query }))).data;
  await until(async () => (await list()).every(({ attempts }) => attempts.length === 1), 'the records');

  t.deepEqual(
    (await list()).map(({ webhookId, event }) => [webhookId, event]),
    [
      [bad, 'run.completed'],
      [good, 'run.completed'],
      [bad, 'run.started'],
      [good, 'run.started'],
    ],
  );
  t.deepEqual(
    (await list({ status: 'SUCCEEDED' })).map(({ webhookId }) => webhookId),
    [good, good],
  );
  t.deepEqual(
    (await list({ event: 'run.started', webhookId: bad })).map(({ webhookId }) => webhookId),
    [bad],
  );
  t.deepEqual(await list({ webhookId: randomUUID() }), []);
  const { createdAt: completedAt = '' } = (await list({ event: 'run.completed' })).at(-1) ?? {};
  t.deepEqual(
    (await list({ from: completedAt })).map(({ event }) => event),
    ['run.completed', 'run.completed'],
  );
  t.deepEqual(
    (await list({ webhookId: good, to: completedAt })).map(({ event }) => event),
    ['run.started'],
  );
  const waiting = (await list({ status: 'PENDING' }))[0];
  t.true((waiting?.nextAttemptAt ?? '') > (waiting?.createdAt ?? ''));
  const page = await must(api.call('webhooks', 'deliveries', { query: { limit: 3 } }));
  t.like(page, { total: 4, hasMore: true });
  const rest = await must(api.call('webhooks', 'deliveries', { query: { limit: 3, cursor: page.nextCursor ?? '' } }));
  t.deepEqual(
    rest.data.map(({ webhookId, event }) => [webhookId, event]),
    [[good, 'run.started']],
  );
  t.is((await must(api.call('webhooks', 'webhookDeliveries', { params: { id: good }, query: { limit: 1 } }))).total, 2);
});

test('the deliveries of a deleted webhook are gone; those of others stay', async (t) => {
  const { api } = await newOrganization(app);
  const [{ id }, other] = [await newWebhook(api, { enabled: false }), await newWebhook(api, { enabled: false })];
  const { templateId } = await publishProcess(api);
  await launchRun(api, templateId);
  for (const each of [id, other.id]) {
    await must(api.call('webhooks', 'update', { params: { id: each }, body: { enabled: true } }));
  }
  await launchRun(api, templateId);
  const before = (await must(api.call('webhooks', 'deliveries'))).data;
  t.is(before.length, 2);
  const deliveryId = before.find(({ webhookId }) => webhookId === id)?.id ?? '';

  t.is((await api.call('webhooks', 'delete', { params: { id } })).status, 204);
  t.is((await api.call('webhooks', 'get', { params: { id } })).status, 404);
  t.is((await api.call('webhooks', 'delivery', { params: { id, deliveryId } })).status, 404);
  t.is((await must(api.call('webhooks', 'deliveries', { query: { webhookId: id } }))).total, 0);
  const { data, total } = await must(api.call('webhooks', 'deliveries'));
  t.deepEqual([total, data.map(({ webhookId }) => webhookId)], [1, [other.id]]);
});

test('an organization has at most 50 webhooks, also under concurrent creations', async (t) => {
  const { api } = await newOrganization(app);
  for (let n = 0; n < 47; n += 1) await newWebhook(api);
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => api.call('webhooks', 'create', { body: sketch })),
  );
  t.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 201, 201, 400, 400, 400],
  );
  t.regex(String(responses.find(({ status }) => status === 400)?.error.message), /50 webhooks.*delete one first/);
});

test('a webhook of another organization is not found, like one that does not exist', async (t) => {
  const { api } = await newOrganization(app);
  const other = await newOrganization(app);
  const foreign = await newWebhook(other.api);
  for (const id of [foreign.id, randomUUID()]) {
    const responses = [
      await api.call('webhooks', 'get', { params: { id } }),
      await api.call('webhooks', 'update', { params: { id }, body: { name: 'Mine' } }),
      await api.call('webhooks', 'delete', { params: { id } }),
      await api.call('webhooks', 'test', { params: { id } }),
      await api.call('webhooks', 'webhookDeliveries', { params: { id } }),
    ];
    for (const { status, error } of responses)
      t.like({ status, ...error }, { status: 404, message: 'Webhook not found.' });
  }
  t.deepEqual(await must(other.api.call('webhooks', 'get', { params: { id: foreign.id } })), foreign);
  t.deepEqual((await must(api.call('webhooks', 'list'))).data, []);
});

test('without the plan, a session can read, change, disable and delete webhooks, but not create, enable, test or resend', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const body = { name: 'Hook', url: 'http://127.0.0.1:9999/', enabledEvents: ['run.started' as const] };
  const { id } = await must(owner.call('webhooks', 'create', { body }));
  await org.setPlan('PRO');
  const params = { id };
  const locked = [
    owner.call('webhooks', 'create', { body }),
    owner.call('webhooks', 'update', { params, body: { enabled: true } }),
    owner.call('webhooks', 'test', { params }),
    owner.call('webhooks', 'resend', { params: { id, deliveryId: id } }),
    owner.call('webhooks', 'replay', { params, body: { from: '2026-01-01T00:00:00Z' } }),
  ];
  for (const response of locked) {
    const { status, error } = await response;
    t.is(status, 402);
    t.like(error, {
      code: 'FEATURE_LOCKED',
      capability: 'webhooks',
      message: 'The PRO plan does not include webhooks; change to BUSINESS or higher.',
    });
  }
  t.is((await must(owner.call('webhooks', 'list'))).total, 1);
  t.is((await must(owner.call('webhooks', 'update', { params, body: { enabled: false } }))).enabled, false);
  t.is((await owner.call('webhooks', 'delete', { params })).status, 204);
});
