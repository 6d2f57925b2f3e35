import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);
const root = '/console/groups';

async function administrator() {
  const org = await newOrganization(app);
  const session = await org.session();
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const { csrf = '' } = fieldsOf((await client.get(root)).html);
  const post = (path: string, fields: Readonly<Record<string, string>> | [string, string][]) =>
    client.submit(path, [['csrf', csrf], ...(Array.isArray(fields) ? fields : Object.entries(fields))]);
  const newGroup = async (name: string, memberIds: string[] = []) =>
    (await must(session.call('groups', 'create', { body: { name, memberIds } }))).id;
  const read = (id: string) => must(org.api.call('groups', 'get', { params: { id } }));
  return { org, session, get: client.get, submit: client.submit, post, newGroup, read };
}

test('groups are listed with their number of members, created and renamed', async (t) => {
  const { org, get, post, newGroup, read } = await administrator();
  t.regex((await get(root)).html, /There is no group yet/);
  await newGroup('Purchasing <b>', [org.ownerUserId]);
  t.regex((await get(root)).html, /Purchasing &lt;b&gt;[^]*data-label="Members">1</);
  const rejected = await post(root, { name: 'x'.repeat(256) });
  t.is(rejected.status, 400);
  t.regex(rejected.html, /href="#name">Name: must be at most 255 characters[^]*value="x{256}"/);
  const created = await post(root, { name: 'Legal' });
  t.is(created.status, 303);
  const path = created.headers.get('location') ?? '';
  t.regex((await get(path)).html, /<h1>Legal<\/h1>[^]*The group has no members yet/);
  t.is((await post(path, { name: 'Law "> <b>' })).headers.get('location'), `${path}?notice=changed`);
  t.is((await read(path.split('/').pop() ?? '')).name, 'Law "> <b>');
  t.regex((await post(path, { name: '' })).html, /href="#name">Name: must not be empty/);
});

test('members are found among many, added and removed', async (t) => {
  const { org, get, post, newGroup, read } = await administrator();
  const path = `${root}/${await newGroup('Purchasing')}`;
  const id = path.split('/').pop() ?? '';
  for (let count = 0; count < 50; count += 1) await org.member(`Member ${count} <b>`);
  const [ada, grace] = [await org.member('Ada'), await org.member('Grace')];

  const all = (await get(path)).html;
  t.is([...all.matchAll(/name="add"/g)].length, 50);
  const [, next = ''] = /href="([^"]+)" rel="next"/.exec(all) ?? [];
  t.is(next, `${path}?others=50#others`);
  t.is([...(await get(`${path}?others=50`)).html.matchAll(/name="add"/g)].length, 3);
  t.is((await get(`${path}?others=-1&members=x`)).status, 200);
  const found = (await get(`${path}?search=GRACE`)).html;
  t.deepEqual(
    [...found.matchAll(/name="add"\s+value="([^"]+)"/g)].map(([, each]) => each),
    [grace.id],
  );

  const added = await post(`${path}/members`, [
    ['add', ada.id],
    ['add', grace.id],
  ]);
  t.is(added.headers.get('location'), `${path}?notice=added`);
  t.deepEqual((await read(id)).memberIds, [ada.id, grace.id].toSorted());
  t.is((await post(`${path}/members`, { remove: ada.id })).headers.get('location'), `${path}?notice=removed`);
  t.deepEqual((await read(id)).memberIds, [grace.id]);
  const none = await post(`${path}/members`, {});
  t.is(none.status, 400);
  t.regex(none.html, new RegExp(`Choose at least one member[^]*action="${path}" role="search"`));
  t.is((await post(`${path}/members`, { add: org.organizationId })).status, 400);
  t.deepEqual((await read(id)).memberIds, [grace.id]);
});

test('a group in use cannot be deleted, and the page says by what; an unused one is deleted after a question', async (t) => {
  const { org, get, post, newGroup } = await administrator();
  const id = await newGroup('Purchasing <b>', [org.ownerUserId]);
  const { templateId } = await publishProcess(org.api, [{ title: 'Review' }]);
  const taskId = (await launchRun(org.api, templateId)).byTitle('Review').runTaskId;
  const assign = (body: object) => must(org.api.call('runs.tasks', 'setAssignee', { params: { taskId }, body }));
  await assign({ assigneeGroupId: id });

  t.regex((await get(`${root}/${id}/delete`)).html, /Purchasing &lt;b&gt;[^]*1 member\.[^]*cannot be restored/);
  const rejected = await post(`${root}/${id}/delete`, {});
  t.is(rejected.status, 400);
  t.regex(rejected.html, /cannot be deleted while 1 open task is assigned to it; reassign the task first/);
  await assign({ assigneeGroupId: null });
  t.is((await post(`${root}/${id}/delete`, {})).headers.get('location'), `${root}?notice=groupDeleted`);
  t.is((await get(`${root}/${id}`)).status, 404);
});

test('members without a role, forged forms and groups of other organizations get nowhere', async (t) => {
  const [{ org, session, submit, newGroup, read }, stranger] = [await administrator(), await administrator()];
  const id = await newGroup('Purchasing', [org.ownerUserId]);
  const member = await addMember(app.baseUrl, session);
  const client = newClient(app);
  await client.signIn(member.email, member.password);
  const { csrf = '' } = fieldsOf((await client.get('/console/account')).html);
  for (const path of [root, `${root}/${id}`, `${root}/${id}/delete`]) {
    const { status, html } = await client.get(path);
    t.is(status, 403);
    t.regex(html, /Only owners and admins/);
  }
  const fields = { name: 'Forged', remove: org.ownerUserId };
  for (const path of ['', '/members', '/delete']) {
    t.is((await client.submit(`${root}/${id}${path}`, { csrf, ...fields })).status, 403);
    t.is((await submit(`${root}/${id}${path}`, { csrf: 'x', ...fields })).status, 403);
    t.is((await stranger.post(`${root}/${id}${path}`, fields)).status, 404);
  }
  t.is((await stranger.get(`${root}/${id}`)).status, 404);
  t.like(await read(id), { name: 'Purchasing', memberIds: [org.ownerUserId] });
});

test('a template that is granted to a group is named, also if there are 1,000 newer ones', async (t) => {
  const { org, session, get, newGroup } = await administrator();
  const groupId = await newGroup('Purchasing');
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }], { name: 'Oldest' });
  await must(session.call('grants', 'create', { body: { groupId, templateId } }));
  await app.provision.query(
    `insert into templates (organization_id, id, name, draft, has_unpublished_changes, revision, created_at, updated_at)
     select organization_id, uuidv7(), 'Newer', draft, false, 1, now(), now()
     from templates, generate_series(1, 1000) where organization_id = $1`,
    [org.organizationId],
  );
  t.regex((await get(`${root}/${groupId}`)).html, /<span>Template: <bdi>Oldest<\/bdi><\/span>/);
});
