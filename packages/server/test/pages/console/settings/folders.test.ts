import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);
const root = '/console/folders';

/** A member without a role: like templates, every member may change folders. */
async function signedIn() {
  const org = await newOrganization(app);
  const { email, password } = await addMember(app.baseUrl, await org.session());
  const client = newClient(app);
  await client.signIn(email, password);
  const { csrf = '' } = fieldsOf((await client.get(root)).html);
  const post = (path: string, fields: Readonly<Record<string, string>> | [string, string][]) =>
    client.submit(path, [['csrf', csrf], ...(Array.isArray(fields) ? fields : Object.entries(fields))]);
  const newFolder = async (name: string) => (await must(org.api.call('folders', 'create', { body: { name } }))).id;
  const newTemplate = async (name: string, folderId: string | null = null) =>
    (await must(org.api.call('templates', 'create', { body: { name, folderId } }))).id;
  const folderOf = async (id: string) => (await must(org.api.call('templates', 'get', { params: { id } }))).folderId;
  return { org, get: client.get, submit: client.submit, post, newFolder, newTemplate, folderOf };
}

test('a member lists, creates and renames folders', async (t) => {
  const { get, post, newFolder, newTemplate } = await signedIn();
  t.regex((await get(root)).html, /There is no folder yet/);
  const folder = await newFolder('Sales <b>');
  await newTemplate('Offer <i>', folder);
  t.regex((await get(root)).html, /Sales &lt;b&gt;[^]*data-label="Templates">1</);
  t.regex((await get(`${root}/${folder}`)).html, /Offer &lt;i&gt;[^]*Only an empty folder can be deleted/);
  const rejected = await post(root, { name: '' });
  t.is(rejected.status, 400);
  t.regex(rejected.html, /<title>Error: Folders<\/title>[^]*href="#name">Name: must not be empty/);
  const created = await post(root, { name: 'Legal' });
  const path = created.headers.get('location') ?? '';
  t.is((await post(path, { name: 'Law "> <b>' })).headers.get('location'), `${path}?notice=changed`);
  t.regex((await get(path)).html, /value="Law &quot;&gt; &lt;b&gt;"/);
});

test('templates are found, moved into a folder, to another one, and out of it', async (t) => {
  const { get, post, newFolder, newTemplate, folderOf } = await signedIn();
  const [sales, legal] = [await newFolder('Sales'), await newFolder('Legal')];
  const [offer, order] = [await newTemplate('Offer <i>'), await newTemplate('Order', legal)];
  const path = `${root}/${sales}`;
  const found = (await get(`${path}?search=o`)).html;
  t.deepEqual(
    [...found.matchAll(/name="template"\s+value="([^"]+)"/g)].map(([, id]) => id),
    [order, offer],
  );
  t.regex((await get(`${path}?search=%22%3E%3Cb%3E`)).html, /value="&quot;&gt;&lt;b&gt;"[^]*No template outside/);
  const both: [string, string][] = [
    ['template', offer],
    ['template', order],
  ];
  const moved = await post(`${path}/templates`, [...both, ['to', sales]]);
  t.is(moved.headers.get('location'), `${path}?notice=moved`);
  t.deepEqual([await folderOf(offer), await folderOf(order)], [sales, sales]);
  t.is((await post(`${path}/templates`, { template: order, to: legal })).status, 303);
  t.is((await post(`${path}/templates`, { template: offer, to: '' })).status, 303);
  t.deepEqual([await folderOf(offer), await folderOf(order)], [null, legal]);
  const none = await post(`${path}/templates`, { to: legal });
  t.is(none.status, 400);
  t.regex(none.html, new RegExp(`Choose at least one template[^]*action="${path}" role="search"`));
});

test('an empty folder is deleted after a question, one with templates is not', async (t) => {
  const { get, post, newFolder, newTemplate } = await signedIn();
  const [empty, full] = [await newFolder('Empty <b>'), await newFolder('Full')];
  await newTemplate('Offer', full);
  t.regex((await get(`${root}/${empty}/delete`)).html, /Empty &lt;b&gt;[^]*contains no templates/);
  t.is((await post(`${root}/${empty}/delete`, {})).headers.get('location'), `${root}?notice=folderDeleted`);
  t.is((await get(`${root}/${empty}`)).status, 404);
  const rejected = await post(`${root}/${full}/delete`, {});
  t.is(rejected.status, 400);
  t.regex(rejected.html, /contains 1 template; move or delete it first/);
});

test('forged forms, and folders and templates of other organizations, get nowhere', async (t) => {
  const [{ get, post, submit, newFolder }, stranger] = [await signedIn(), await signedIn()];
  const [own, theirs] = [await newFolder('Sales'), await stranger.newFolder('Theirs')];
  const template = await stranger.newTemplate('Offer');
  for (const path of ['', '/templates', '/delete']) {
    const fields = { name: 'Forged', template, to: theirs };
    t.is((await post(`${root}/${theirs}${path}`, fields)).status, 404);
    t.is((await submit(`${root}/${own}${path}`, { csrf: 'x', ...fields })).status, 403);
  }
  t.is((await get(`${root}/${theirs}`)).status, 404);
  t.is((await post(`${root}/${own}/templates`, { template, to: own })).status, 404);
  t.is(await stranger.folderOf(template), null);
  t.notRegex((await get(`${root}/${own}`)).html, /Theirs|Forged/);
});
