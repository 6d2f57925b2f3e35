import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { connectTo } from '../support/database/connect.ts';
import { untilOthersWait } from '../support/database/locks.ts';
import { newFolder, newTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

const sketch = { name: 'Hook', url: 'http://127.0.0.1:1/hook', enabledEvents: ['run.started' as const] };

const selecting = (...templateIds: string[]) => ({
  ...sketch,
  templateMode: 'SELECTED_TEMPLATES' as const,
  templateIds,
});

async function create(api: Api, body: typeof sketch & { templateIds?: string[] }) {
  return api.call('webhooks', 'create', { body });
}

test('a webhook with selected templates gets only their events', async (t) => {
  await using receiver = await startReceiver();
  const { api } = await newOrganization(app);
  const heard = (await publishProcess(api)).templateId;
  const unheard = (await publishProcess(api)).templateId;
  const { url } = receiver;
  const { id } = await must(create(api, { ...selecting(heard), url }));

  await launchRun(api, unheard);
  const run = await launchRun(api, heard);
  await receiver.wait(1);
  const { data } = await must(api.call('webhooks', 'webhookDeliveries', { params: { id } }));
  t.deepEqual(
    data.map(({ payload }) => payload.data.runId),
    [run.id],
  );
});

test('a webhook that leaves the reach of a restricted key meanwhile is not changed', async (t) => {
  const { api, key, organizationId } = await newOrganization(app);
  const inside = (await publishProcess(api)).templateId;
  const { id } = await must(create(api, selecting(inside)));
  const scope = { resourceMode: 'SELECTED_TEMPLATES' as const, scopedTemplateIds: [inside] };
  const restricted = await key({ scopes: ['webhooks:manage'], ...scope });
  const own = 'where organization_id = $1 and id = $2';
  const holder = await connectTo(t, app.databaseUrl);
  await holder.query('begin');
  await holder.query(`select from webhooks ${own} for no key update`, [organizationId, id]);
  const renaming = restricted.call('webhooks', 'update', { params: { id }, body: { name: 'Renamed' } });
  await untilOthersWait(async (text) => (await holder.query(text)).rows);
  const rotation = restricted.call('webhooks', 'rotateSecret', { params: { id } });
  await pause(300);
  const widen = `update webhooks set template_mode = 'ALL_FLOWS', template_ids = '{}' ${own}`;
  await holder.query(widen, [organizationId, id]);
  await holder.query('commit');
  for (const change of [renaming, rotation]) t.is((await change).status, 403);
  t.is((await must(api.call('webhooks', 'get', { params: { id } }))).name, sketch.name);
});

test('templateMode and templateIds must match, and the templates must exist', async (t) => {
  const { api } = await newOrganization(app);
  const foreign = await newTemplate((await newOrganization(app)).api);
  const template = await newTemplate(api);
  const deleted = await newTemplate(api);
  await must(api.call('templates', 'delete', { params: { id: deleted } }));
  const rejected: [object, RegExp][] = [
    [selecting(), /^templateIds: must name at least one template$/],
    [{ ...sketch, templateMode: 'SELECTED_TEMPLATES' }, /^templateIds: must name at least one template$/],
    [{ ...sketch, templateIds: [template] }, /^templateIds: allowed only with templateMode SELECTED_TEMPLATES/],
    [selecting(template, foreign), /^templateIds\[1\]: not a template of this organization; see GET \/templates$/],
    [selecting(randomUUID()), /^templateIds\[0\]: not a template/],
    [selecting(deleted), /^templateIds\[0\]: not a template/],
  ];
  for (const [body, message] of rejected) {
    const { status, error } = await api.raw('POST', '/webhooks', { body });
    t.is(status, 400);
    t.regex([error.message].flat().join(), message);
  }

  const { id } = await must(create(api, sketch));
  const patch = async (body: object) => api.raw('PATCH', `/webhooks/${id}`, { body });
  t.is((await patch({ templateMode: 'SELECTED_TEMPLATES' })).status, 400);
  t.is((await patch({ templateIds: [template] })).status, 400);
  t.is((await patch({ templateMode: 'SELECTED_TEMPLATES', templateIds: [template] })).status, 200);
  t.is((await patch({ templateIds: [] })).status, 400);
  t.is((await patch({ name: 'Still selecting' })).status, 200);
  const later = await newTemplate(api);
  await must(api.call('templates', 'delete', { params: { id: template } }));
  const asRead = { templateMode: 'SELECTED_TEMPLATES', templateIds: [template] };
  t.is((await patch(asRead)).status, 200, 'what was read can be sent back');
  t.like((await patch({ templateIds: [template, later] })).body, { templateIds: [template, later] });
  t.like((await patch({ templateMode: 'ALL_FLOWS' })).body, { name: 'Still selecting', templateIds: [] });
});

test('a key restricted to templates manages only webhooks that are subscribed to no other templates', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const mine = await newTemplate(api);
  const other = await newTemplate(api);
  const key = await org.key({
    scopes: ['webhooks:manage'],
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [mine],
  });
  const inside = (await must(create(api, selecting(mine)))).id;
  const outside = [sketch, selecting(other), selecting(mine, other)];
  const outsideIds: string[] = [];
  for (const body of outside) outsideIds.push((await must(create(api, body))).id);
  for (const id of [inside, ...outsideIds]) await must(api.call('webhooks', 'test', { params: { id } }));

  const list = await must(key.call('webhooks', 'list'));
  t.deepEqual(
    list.data.map(({ id }) => id),
    [inside],
  );
  t.is(list.total, 1);
  const deliveries = await must(key.call('webhooks', 'deliveries'));
  t.deepEqual(
    deliveries.data.map(({ webhookId }) => webhookId),
    [inside],
  );
  t.is(deliveries.total, 1);
  for (const id of outsideIds) {
    t.is((await must(key.call('webhooks', 'deliveries', { query: { webhookId: id } }))).total, 0);
    const responses = [
      await key.call('webhooks', 'get', { params: { id } }),
      await key.call('webhooks', 'update', { params: { id }, body: selecting(mine) }),
      await key.call('webhooks', 'delete', { params: { id } }),
      await key.call('webhooks', 'test', { params: { id } }),
      await key.call('webhooks', 'webhookDeliveries', { params: { id } }),
    ];
    t.deepEqual(
      responses.map(({ status }) => status),
      [403, 403, 403, 403, 403],
    );
  }
  for (const body of outside) t.is((await create(key, body)).status, 403);
  t.is((await create(key, selecting(mine))).status, 201);

  const params = { id: inside };
  t.is((await key.call('webhooks', 'get', { params })).status, 200);
  t.is((await key.call('webhooks', 'update', { params, body: { templateIds: [mine, other] } })).status, 403);
  t.is((await key.call('webhooks', 'update', { params, body: { templateMode: 'ALL_FLOWS' } })).status, 403);
  t.is((await key.call('webhooks', 'update', { params, body: { name: 'Renamed' } })).status, 200);
  t.is((await key.call('webhooks', 'delete', { params })).status, 204);
});

test('a key restricted to folders manages the webhooks of the templates in them', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const folderId = await newFolder(app, org.organizationId);
  const within = await newTemplate(api, { folderId });
  const beside = await newTemplate(api);
  const key = await org.key({
    scopes: ['webhooks:manage'],
    resourceMode: 'SELECTED_FOLDERS',
    scopedFolderIds: [folderId],
  });
  const inside = (await must(create(api, selecting(within)))).id;
  const outside = (await must(create(api, selecting(within, beside)))).id;

  t.deepEqual(
    (await must(key.call('webhooks', 'list'))).data.map(({ id }) => id),
    [inside],
  );
  t.is((await key.call('webhooks', 'get', { params: { id: outside } })).status, 403);
  t.is((await create(key, selecting(within))).status, 201);
  t.is((await create(key, selecting(beside))).status, 403);
});
