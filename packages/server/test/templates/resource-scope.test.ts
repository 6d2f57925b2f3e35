import { randomUUID } from 'node:crypto';
import { contract, type BodyInput, type Contract, type Endpoint, type GroupName } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { encode } from '../support/sweep/encode.ts';
import { addTask, newFolder, newTemplate, readTasks, readTemplate } from '../support/templates.ts';
import { newImage } from '../support/world/files.ts';

const app = useSharedApp(test);

interface Ids {
  readonly id: string;
  readonly taskId: string;
  readonly fieldId: string;
  readonly ruleId: string;
  readonly phaseId: string;
  readonly variableId: string;
  readonly versionId: string;
}

/** Every endpoint about one template. */
const endpoints = (Object.keys(contract) as GroupName[])
  .filter((group) => group.startsWith('templates'))
  .flatMap((group) =>
    Object.entries<Endpoint>({ ...contract[group] }).map(([name, endpoint]) => {
      const { method, path, body } = endpoint;
      return { endpoint, operation: `${group}.${name}`, method, path, takesBody: body !== undefined };
    }),
  )
  .filter(({ path }) => path.includes(':id'));

/** Valid bodies, so that only access decides. */
function bodyOf(operation: string, { taskId, fieldId, ruleId }: Ids): object | undefined {
  const bodies: Record<string, object> = {
    'templates.update': { name: 'Name' },
    'templates.setBackgroundImage': { file: newImage() },
    'templates.draft.replace': { phases: [], tasks: [], variables: [] },
    'templates.tasks.create': { title: 'Title' },
    'templates.tasks.update': { title: 'Title' },
    'templates.tasks.bulkDelete': { taskIds: [taskId] },
    'templates.tasks.bulkDuplicate': { taskIds: [taskId] },
    'templates.tasks.bulkUpdate': { taskIds: [taskId], changes: { title: 'Title' } },
    'templates.fields.create': { label: 'Label', type: 'TEXT' },
    'templates.fields.update': { label: 'Label' },
    'templates.fields.move': { targetTaskId: taskId },
    'templates.rules.create': ruleOf(fieldId),
    'templates.rules.update': { name: 'Name' },
    'templates.rules.reorder': { ruleIds: [ruleId] },
    'templates.dependencies.set': { taskIds: [] },
    'templates.phases.create': { name: 'Name' },
    'templates.phases.update': { name: 'Name' },
    'templates.variables.create': { key: 'another' },
    'templates.variables.update': { key: 'another' },
  };
  return bodies[operation];
}

function ruleOf(fieldId: string): BodyInput<Contract['templates.rules']['create']> {
  return {
    conditions: [{ source: { type: 'VARIABLE', key: 'seats' }, operator: 'IS_EMPTY' }],
    actions: [{ type: 'HIDE', fieldIds: [fieldId] }],
  };
}

async function send(api: Api, endpoint: (typeof endpoints)[number], ids: Ids, extra?: object) {
  const { operation, method, path } = endpoint;
  const body = bodyOf(operation, ids);
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name as keyof Ids]);
  return api.raw(method, url, body || extra ? { body: encode(endpoint.endpoint, { ...body, ...extra }) } : {});
}

/** A published template with one phase, task, field and variable. */
async function fullTemplate(api: Api, folderId?: string): Promise<Ids> {
  const { templateId: id, versionId } = await publishProcess(api, [{ title: 'A' }], { ...(folderId && { folderId }) });
  const { id: taskId } = await addTask(api, id);
  const field = { label: 'Field', type: 'TEXT' } as const;
  const { id: fieldId } = await must(api.call('templates.fields', 'create', { params: { id, taskId }, body: field }));
  const { id: phaseId } = await must(api.call('templates.phases', 'create', { params: { id }, body: { name: 'P' } }));
  const variable = await must(api.call('templates.variables', 'create', { params: { id }, body: { key: 'seats' } }));
  const body = ruleOf(fieldId);
  const { id: ruleId } = await must(api.call('templates.rules', 'create', { params: { id, taskId }, body }));
  return { id, versionId, taskId, fieldId, ruleId, phaseId, variableId: variable.id };
}

test('every endpoint of a template returns 404 to another organization, and to everyone after its deletion', async (t) => {
  const { api } = await newOrganization(app);
  const stranger = await newOrganization(app);
  const ids = await fullTemplate(api);
  const before = [await readTemplate(api, ids.id), await readTasks(api, ids.id)];
  t.true(endpoints.length >= 32);

  for (const endpoint of endpoints) {
    await isRejected(t, send(stranger.api, endpoint, ids), 404, 'Template not found.');
    await isRejected(t, send(api, endpoint, { ...ids, id: randomUUID() }), 404, 'Template not found.');
  }
  t.deepEqual([await readTemplate(api, ids.id), await readTasks(api, ids.id)], before);
  t.is((await must(stranger.api.call('templates', 'list'))).total, 0);

  await must(api.call('templates', 'delete', { params: { id: ids.id } }));
  for (const endpoint of endpoints) await isRejected(t, send(api, endpoint, ids), 404, 'Template not found.');
});

test('the parts of one template are not found under another', async (t) => {
  const { api } = await newOrganization(app);
  const stranger = await newOrganization(app);
  const mine = await fullTemplate(api);
  const others = [await fullTemplate(api), await fullTemplate(stranger.api)];
  const kinds = {
    taskId: 'Task',
    fieldId: 'Field',
    ruleId: 'Rule',
    phaseId: 'Phase',
    variableId: 'Variable',
    versionId: 'Version',
  };

  for (const [part, kind] of Object.entries(kinds)) {
    const nested = endpoints.filter(({ path }) => path.includes(`:${part}`));
    t.true(nested.length > 0, part);
    for (const other of others) {
      const ids = { ...mine, [part]: other[part as keyof Ids] };
      for (const endpoint of nested) await isRejected(t, send(api, endpoint, ids), 404, `${kind} not found.`);
    }
  }
  for (const other of others) {
    const absent = `the template has no task ${other.taskId}; `;
    for (const endpoint of endpoints.filter(({ operation }) => operation.includes('.bulk'))) {
      const response = send(api, endpoint, mine, { taskIds: [mine.taskId, other.taskId] });
      await isRejected(t, response, 400, [`taskIds: ${absent}list only tasks of its draft`]);
    }
    const body = { targetTaskId: other.taskId };
    const move = await api.call('templates.fields', 'move', { params: mine, body });
    await isRejected(t, move, 400, [`targetTaskId: ${absent}use the id of one of its tasks`]);
  }
  t.deepEqual(
    (await readTasks(api, mine.id)).map(({ title }) => title),
    ['A', 'Task'],
  );
});

test('an archived template can be read and its settings changed, but its draft cannot be edited', async (t) => {
  const { api } = await newOrganization(app);
  const ids = await fullTemplate(api);
  await must(api.call('templates', 'archive', { params: { id: ids.id } }));
  const before = [await readTemplate(api, ids.id), await readTasks(api, ids.id)];
  const ofDraft =
    /^templates\.(tasks|fields|rules|dependencies|phases|variables)\.|^templates\.(publish|discardDraft)$/;

  for (const endpoint of endpoints) {
    if (endpoint.method === 'GET') t.is((await send(api, endpoint, ids)).status, 200, endpoint.operation);
    else if (ofDraft.test(endpoint.operation)) {
      await isRejected(t, send(api, endpoint, ids), 400, 'The template is archived; unarchive it first.');
      // A missing part is reported first.
      const part = /:(taskId|fieldId|ruleId|phaseId|variableId)/.exec(endpoint.path)?.[1];
      if (part) t.is((await send(api, endpoint, { ...ids, [part]: randomUUID() })).status, 404, endpoint.operation);
    }
  }
  t.deepEqual([await readTemplate(api, ids.id), await readTasks(api, ids.id)], before);
  const renamed = await api.call('templates', 'update', { params: { id: ids.id }, body: { name: 'Old one' } });
  t.like(renamed, { status: 200, body: { name: 'Old one', status: 'ARCHIVED' } });
});

test('an unknown property of a body is rejected by name, and nothing changes', async (t) => {
  const { api } = await newOrganization(app);
  const ids = await fullTemplate(api);
  const before = [await readTemplate(api, ids.id), await readTasks(api, ids.id)];
  for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
    const message = endpoint.takesBody
      ? 'surprise: unknown parameter; remove it'
      : 'body: this endpoint accepts no request body';
    await isRejected(t, send(api, endpoint, ids, { surprise: 1 }), 400, [message]);
  }
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name as keyof Ids]);
    await isRejected(t, api.raw('GET', `${url}?surprise=1`), 400, ['surprise: unknown parameter; remove it']);
  }
  t.deepEqual([await readTemplate(api, ids.id), await readTasks(api, ids.id)], before);
});

test('a restricted key gets 403 for every endpoint of a template outside its scope', async (t) => {
  const org = await newOrganization(app);
  const folderId = await newFolder(app, org.organizationId);
  const outside = await fullTemplate(org.api);
  const inside = await fullTemplate(org.api, folderId);
  const before = [await readTemplate(org.api, outside.id), await readTasks(org.api, outside.id)];
  const scopes = ['templates:read', 'templates:write', 'templates:publish', 'runs:execute'] as const;
  const keys = [
    { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [inside.id] },
    { resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folderId] },
  ] as const;

  for (const key of keys) {
    const api = await org.key({ scopes, ...key });
    const message = `The API key's resource mode ${key.resourceMode} does not grant access to this template; use a key that lists it or its folder.`;
    for (const endpoint of endpoints) await isRejected(t, send(api, endpoint, outside), 403, message);
    await isRejected(t, api.call('templates', 'get', { params: { id: randomUUID() } }), 404, 'Template not found.');
    const list = await must(api.call('templates', 'list'));
    t.deepEqual([list.total, list.data.map(({ id }) => id)], [1, [inside.id]]);
    t.is((await must(api.call('templates', 'list', { query: { limit: 1, folderId } }))).hasMore, false);
    await addTask(api, inside.id);
    t.is((await api.call('templates', 'publish', { params: { id: inside.id } })).status, 200);
    t.is((await api.call('templates.runs', 'launch', { params: { id: inside.id } })).status, 201);
  }
  t.deepEqual([await readTemplate(org.api, outside.id), await readTasks(org.api, outside.id)], before);

  const none = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES' });
  t.deepEqual(await must(none.call('templates', 'list')), { data: [], total: 0, hasMore: false, nextCursor: null });
});

test('a key restricted to templates creates none, but moves its own to any folder', async (t) => {
  const org = await newOrganization(app);
  const folderId = await newFolder(app, org.organizationId);
  const id = await newTemplate(org.api);
  const api = await org.key({
    scopes: ['templates:read', 'templates:write'],
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [id],
  });
  const message =
    "The API key's resource mode SELECTED_TEMPLATES does not allow creating templates; use a key with another resource mode.";

  await isRejected(t, api.call('templates', 'create', { body: { name: 'New' } }), 403, message);
  await isRejected(t, api.call('templates', 'create', { body: { name: 'New', folderId } }), 403, message);
  await isRejected(t, api.call('templates', 'duplicate', { params: { id } }), 403, message);
  t.is((await api.call('templates', 'update', { params: { id }, body: { folderId } })).body.folderId, folderId);
  t.is((await must(org.api.call('templates', 'list'))).total, 1);
});

test('a key restricted to folders creates, duplicates and moves templates only inside them', async (t) => {
  const org = await newOrganization(app);
  const [folderId, secondId, otherId] = [
    await newFolder(app, org.organizationId),
    await newFolder(app, org.organizationId),
    await newFolder(app, org.organizationId),
  ];
  const api = await org.key({
    scopes: ['templates:read', 'templates:write'],
    resourceMode: 'SELECTED_FOLDERS',
    scopedFolderIds: [folderId, secondId],
  });
  const message =
    "The API key's resource mode SELECTED_FOLDERS does not allow templates outside the key's folders; set folderId to one of them.";
  const create = (place: object) => api.call('templates', 'create', { body: { name: 'New', ...place } });

  for (const place of [{}, { folderId: null }, { folderId: otherId }, { folderId: randomUUID() }]) {
    await isRejected(t, create(place), 403, message);
  }
  const made = await create({ folderId });
  t.is(made.status, 201);
  const params = { id: made.body.id };
  t.is((await api.call('templates', 'duplicate', { params })).body.folderId, folderId);
  for (const place of [{ folderId: null }, { folderId: otherId }]) {
    await isRejected(t, api.call('templates', 'update', { params, body: place }), 403, message);
  }
  t.is((await api.call('templates', 'update', { params, body: { name: 'Same place' } })).status, 200);
  t.is((await api.call('templates', 'update', { params, body: { folderId: secondId } })).body.folderId, secondId);
  t.is((await must(org.api.call('templates', 'list'))).total, 2);
});

test('a member with a grant of a template cannot duplicate it into a folder that is not granted', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { templateId: id } = await publishProcess(org.api);
  const member = await addMember(app.baseUrl, owner, { role: 'MEMBER', resourceMode: 'GRANTED' });
  await must(owner.call('grants', 'create', { body: { userId: member.id, templateId: id } }));
  const message =
    'Your resource mode GRANTED does not allow templates outside the folders that are granted to you; ' +
    'ask an owner or admin of the organization.';
  await isRejected(t, member.session.call('templates', 'duplicate', { params: { id } }), 403, message);
  t.is((await must(org.api.call('templates', 'list'))).total, 1);
});
