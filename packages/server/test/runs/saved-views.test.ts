import { scopes } from '@runward/contract';
import { signIn } from '@runward/testing/api';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

const notFound = 'View not found.';

/** A member without a role, signed in. */
async function signedInMember(org: TestOrganization, name: string) {
  const password = `password of ${name}`;
  const body = { email: `${org.organizationId}.${name}@example.com`, name, password };
  const { id, email } = await must((await org.session()).call('users', 'create', { body }));
  return { id, api: await signIn(app.baseUrl, email, password) };
}

test('a private view is visible to its creator only, a view of the organization to all, newest first', async (t) => {
  const org = await newOrganization(app);
  const ada = await signedInMember(org, 'ada');
  const bo = await signedInMember(org, 'bo');
  const own = await must(ada.api.call('savedViews', 'create', { body: { name: 'Mine', filters: {} } }));
  t.like(own, { name: 'Mine', filters: {}, visibility: 'PRIVATE', createdByUserId: ada.id });
  const body = { name: 'Ours', filters: { statuses: ['OVERDUE' as const] }, visibility: 'ORGANIZATION' as const };
  const shared = await must(ada.api.call('savedViews', 'create', { body }));

  const names = async ({ api }: { api: typeof ada.api }) =>
    (await must(api.call('savedViews', 'list'))).data.map(({ name }) => name);
  t.deepEqual(await names(ada), ['Ours', 'Mine']);
  t.deepEqual(await names(bo), ['Ours']);
  t.deepEqual(await names(org), ['Ours']);
  t.deepEqual(await must(bo.api.call('savedViews', 'get', { params: { id: shared.id } })), shared);
  const first = await must(ada.api.call('savedViews', 'list', { query: { limit: 1 } }));
  const cursor = first.nextCursor ?? '';
  const second = await must(ada.api.call('savedViews', 'list', { query: { limit: 1, cursor } }));
  t.deepEqual([first.total, second.total, second.data[0]?.id, second.hasMore], [2, 2, own.id, false]);

  // Owners and administrators do not see private views either.
  for (const { api } of [bo, org]) {
    const params = { id: own.id };
    await isRejected(t, api.call('savedViews', 'get', { params }), 404, notFound);
    await isRejected(t, api.call('savedViews', 'runs', { params }), 404, notFound);
    await isRejected(t, api.call('savedViews', 'update', { params, body: { name: 'Taken' } }), 404, notFound);
    await isRejected(t, api.call('savedViews', 'delete', { params }), 404, notFound);
  }
  t.is((await must(ada.api.call('savedViews', 'get', { params: { id: own.id } }))).name, 'Mine');
});

test('a view of the organization is changed by its creator or an administrator; what is left out stays', async (t) => {
  const org = await newOrganization(app);
  const ada = await signedInMember(org, 'ada');
  const bo = await signedInMember(org, 'bo');
  const body = { name: 'Ours', filters: { search: 'order' }, visibility: 'ORGANIZATION' as const };
  const { id } = await must(ada.api.call('savedViews', 'create', { body }));
  const params = { id };
  const denied = 'Only its creator and administrators can change this view; create a view of your own.';
  await isRejected(t, bo.api.call('savedViews', 'update', { params, body: { name: 'Bo' } }), 403, denied);
  await isRejected(t, bo.api.call('savedViews', 'delete', { params }), 403, denied);

  const renamed = await must(ada.api.call('savedViews', 'update', { params, body: { name: 'All orders' } }));
  t.like(renamed, { name: 'All orders', filters: { search: 'order' }, visibility: 'ORGANIZATION' });
  // The key acts as the owner.
  const changed = await must(org.api.call('savedViews', 'update', { params, body: { filters: { archived: true } } }));
  t.deepEqual(changed.filters, { archived: true });
  t.is(changed.createdByUserId, ada.id);
  await must(ada.api.call('savedViews', 'update', { params, body: { visibility: 'PRIVATE' } }));
  t.is((await org.api.call('savedViews', 'get', { params })).status, 404);
  t.is((await ada.api.call('savedViews', 'delete', { params })).status, 204);
  t.is((await ada.api.call('savedViews', 'get', { params })).status, 404);
});

test('a view stays usable when what it names is deleted, and lists its runs by the current filters', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { templateId } = await publishProcess(api);
  const folder = await must(api.call('folders', 'create', { body: { name: 'Folder' } }));
  const run = await launchRun(api, templateId);
  const filters = { folderIds: [folder.id] };
  const { id } = await must(api.call('savedViews', 'create', { body: { name: 'View', filters } }));
  const params = { id };
  t.is((await api.call('folders', 'delete', { params: { id: folder.id } })).status, 204);
  t.is((await must(api.call('savedViews', 'runs', { params }))).total, 0);
  await must(api.call('savedViews', 'update', { params, body: { filters: { templateIds: [templateId] } } }));
  t.deepEqual(
    (await must(api.call('savedViews', 'runs', { params }))).data.map((each) => each.id),
    [run.id],
  );
});

test('a restricted key sees views whose templates and folders are in its scope, and their runs within it', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const inside = await publishProcess(api);
  const outside = await publishProcess(api);
  await launchRun(api, inside.templateId);
  await launchRun(api, outside.templateId);
  const create = async (name: string, filters: object) =>
    (await must(api.call('savedViews', 'create', { body: { name, filters, visibility: 'ORGANIZATION' } }))).id;
  const all = await create('All', {});
  const both = await create('Both', { templateIds: [inside.templateId, outside.templateId] });
  const one = await create('One', { templateIds: [inside.templateId] });
  const scopedTemplateIds = [inside.templateId];
  const key = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds });

  const { data, total } = await must(key.call('savedViews', 'list'));
  t.deepEqual([data.map(({ id }) => id), total], [[one, all], 2]);
  t.is((await must(key.call('savedViews', 'runs', { params: { id: all } }))).total, 1);
  t.is((await must(api.call('savedViews', 'runs', { params: { id: all } }))).total, 2);
  const outOfScope =
    "The API key's resource mode SELECTED_TEMPLATES does not grant access to every template and folder that this view names; use a key that does.";
  await isRejected(t, key.call('savedViews', 'get', { params: { id: both } }), 403, outOfScope);
  await isRejected(t, key.call('savedViews', 'runs', { params: { id: both } }), 403, outOfScope);
  const reader = await org.key({ scopes: ['runs:read'] });
  t.is((await reader.call('savedViews', 'delete', { params: { id: both } })).status, 204);
});

test('a member can create 200 views', async (t) => {
  const { api } = await newOrganization(app);
  const create = () => api.call('savedViews', 'create', { body: { name: 'View', filters: {} } });
  for (let count = 0; count < 200; count += 10) await Promise.all(Array.from({ length: 10 }, create));
  await isRejected(t, create(), 400, 'A member can create at most 200 views; delete one first.');
  t.is((await must(api.call('savedViews', 'list'))).total, 200);
});
