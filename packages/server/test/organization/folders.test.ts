import { randomUUID } from 'node:crypto';
import { scopes } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { whileOther } from '../support/database/while-other.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { newTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

const create = (by: Api, name: string) => by.call('folders', 'create', { body: { name } });
const get = (by: Api, id: string) => by.call('folders', 'get', { params: { id } });
const rename = (by: Api, id: string, name = 'Renamed') =>
  by.call('folders', 'update', { params: { id }, body: { name } });
const remove = (by: Api, id: string) => by.call('folders', 'delete', { params: { id } });

test('a folder is created, read, renamed, listed by name and deleted', async (t) => {
  const { api } = await newOrganization(app);
  const made = await create(api, ' Payroll ');
  t.is(made.status, 201);
  const { id } = made.body;
  t.like(made.body, { name: 'Payroll', templateCount: 0 });
  t.deepEqual((await get(api, id)).body, made.body);
  t.deepEqual((await rename(api, id, 'Wages')).body, { ...made.body, name: 'Wages' });
  t.deepEqual((await get(api, id)).body.name, 'Wages');

  const twins = [(await create(api, 'Ada')).body.id, (await create(api, 'Ada')).body.id].sort();
  const first = await must(api.call('folders', 'list', { query: { limit: 2 } }));
  const rest = await must(api.call('folders', 'list', { query: { cursor: first.nextCursor ?? '' } }));
  t.deepEqual([first.total, first.hasMore, rest.hasMore], [3, true, false]);
  t.deepEqual(
    [...first.data, ...rest.data].map((folder) => folder.id),
    [...twins, id],
  );

  t.is((await remove(api, id)).status, 204);
  for (const response of [await get(api, id), await rename(api, id), await remove(api, id)]) {
    await isRejected(t, response, 404, 'Folder not found.');
  }
});

test('a folder counts its templates and cannot be deleted while it contains one', async (t) => {
  const { api } = await newOrganization(app);
  const { id } = (await create(api, 'Folder')).body;
  const [one, two] = [await newTemplate(api, { folderId: id }), await newTemplate(api, { folderId: id })];
  await newTemplate(api);
  await must(api.call('templates', 'archive', { params: { id: two } }));
  t.is((await get(api, id)).body.templateCount, 2);
  t.deepEqual(
    (await must(api.call('folders', 'list'))).data.map(({ templateCount }) => templateCount),
    [2],
  );

  const cannot = (what: string, them: string) =>
    isRejected(
      t,
      remove(api, id),
      400,
      `The folder cannot be deleted while it contains ${what}; move or delete ${them} first.`,
    );
  await cannot('2 templates', 'them');
  await must(api.call('templates', 'update', { params: { id: one }, body: { folderId: null } }));
  await cannot('1 template', 'it');
  await must(api.call('templates', 'delete', { params: { id: two } }));
  t.is((await get(api, id)).body.templateCount, 0);
  t.is((await remove(api, id)).status, 204);
  t.is((await api.call('templates', 'get', { params: { id: two } })).status, 404);
  await isRejected(t, api.call('templates', 'update', { params: { id: one }, body: { folderId: id } }), 400, [
    'folderId: not a folder of this organization; see GET /folders, or send null',
  ]);
});

test('a folder whose templates are deleted can be deleted; their finished runs stay', async (t) => {
  const { api } = await newOrganization(app);
  const { id: folderId } = (await create(api, 'Folder')).body;
  const { templateId } = await publishProcess(api, undefined, { folderId });
  const run = await launchRun(api, templateId);
  await must(api.call('runs', 'cancel', { params: { id: run.id } }));
  await must(api.call('templates', 'delete', { params: { id: templateId } }));
  t.is((await remove(api, folderId)).status, 204);
  t.is((await api.call('runs', 'get', { params: { id: run.id } })).body.templateId, templateId);
});

test('a key restricted to folders reads and changes only those and creates none', async (t) => {
  const org = await newOrganization(app);
  const [mine, theirs] = [(await create(org.api, 'Mine')).body, (await create(org.api, 'Theirs')).body];
  await newTemplate(org.api, { folderId: mine.id });
  const key = await org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [mine.id, randomUUID()] });

  const { data, total } = await must(key.call('folders', 'list'));
  t.deepEqual([total, data], [1, [{ ...mine, templateCount: 1 }]]);
  t.is((await get(key, mine.id)).status, 200);
  t.is((await rename(key, mine.id, 'Ours')).body.name, 'Ours');
  const message =
    "The API key's resource mode SELECTED_FOLDERS does not grant access to this folder; use a key that lists it or has the resource mode ALL.";
  for (const response of [await get(key, theirs.id), await rename(key, theirs.id), await remove(key, theirs.id)]) {
    await isRejected(t, response, 403, message);
  }
  await isRejected(
    t,
    create(key, 'New'),
    403,
    message
      .replace('grant access to this folder', 'allow creating folders')
      .replace(/that lists.*$/, 'with the resource mode ALL.'),
  );
  t.is((await get(org.api, theirs.id)).body.name, 'Theirs');

  // The content of the folder decides, from the next call.
  const id = (await must(key.call('templates', 'list'))).data[0]?.id ?? '';
  await must(org.api.call('templates', 'update', { params: { id }, body: { folderId: theirs.id } }));
  t.is((await get(key, mine.id)).body.templateCount, 0);
  t.is((await key.call('templates', 'get', { params: { id } })).status, 403);
  t.is((await remove(key, mine.id)).status, 204);
});

test('a key restricted to templates reads the folders that contain them and changes none', async (t) => {
  const org = await newOrganization(app);
  const [here, there] = [(await create(org.api, 'Here')).body, (await create(org.api, 'There')).body];
  const inside = await newTemplate(org.api, { folderId: here.id });
  await newTemplate(org.api, { folderId: here.id });
  const key = await org.key({
    scopes,
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [inside, await newTemplate(org.api)],
  });
  const rejection = (what: string, remedy: string) =>
    `The API key's resource mode SELECTED_TEMPLATES does not ${what}; use a key ${remedy}`;

  const { data, total } = await must(key.call('folders', 'list'));
  t.deepEqual([total, data], [1, [{ ...here, templateCount: 1 }]]);
  t.is((await get(key, here.id)).body.templateCount, 1);
  await isRejected(
    t,
    get(key, there.id),
    403,
    rejection('grant access to this folder', 'that lists it or has the resource mode ALL.'),
  );
  for (const id of [here.id, there.id]) {
    for (const response of [await rename(key, id), await remove(key, id)]) {
      await isRejected(t, response, 403, rejection('allow changing folders', 'with the resource mode ALL.'));
    }
  }
  await isRejected(t, create(key, 'New'), 403, rejection('allow creating folders', 'with the resource mode ALL.'));

  await must(org.api.call('templates', 'update', { params: { id: inside }, body: { folderId: there.id } }));
  t.deepEqual(
    (await must(key.call('folders', 'list'))).data.map(({ id }) => id),
    [there.id],
  );
  t.is((await get(key, here.id)).status, 403);
});

test('folders of other organizations are not found, whatever the resource scope', async (t) => {
  const org = await newOrganization(app);
  const { id: foreign } = (await create((await newOrganization(app)).api, 'Foreign')).body;
  const keys = [
    org.api,
    await org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [foreign] }),
    await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [] }),
    await org.session(),
  ];
  for (const by of keys) {
    for (const id of [foreign, randomUUID()]) {
      for (const response of [await get(by, id), await rename(by, id), await remove(by, id)]) {
        await isRejected(t, response, 404, 'Folder not found.');
      }
    }
    t.is((await must(by.call('folders', 'list'))).total, 0);
  }
});

test('every member may manage folders in a session', async (t) => {
  const org = await newOrganization(app);
  const member = await addMember(app.baseUrl, await org.session());
  const { id } = (await create(member.session, 'Folder')).body;
  t.is((await rename(member.session, id)).status, 200);
  t.is((await get(org.api, id)).body.name, 'Renamed');
  t.is((await remove(member.session, id)).status, 204);
});

test('a template cannot be moved into a folder that is being deleted', async (t) => {
  const org = await newOrganization(app);
  const { id: folderId } = (await create(org.api, 'Folder')).body;
  const { status } = await whileOther(
    app,
    (client) =>
      client.query('delete from folders where organization_id = $1 and id = $2', [org.organizationId, folderId]),
    () => org.api.call('templates', 'create', { body: { name: 'Late', folderId } }),
  );
  t.is(status, 400);
});
