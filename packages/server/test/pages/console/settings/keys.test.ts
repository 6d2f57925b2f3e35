import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

async function administrator() {
  const org = await newOrganization(app);
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const post = async (path: string, fields: Readonly<Record<string, string>>) => {
    const { csrf = '' } = fieldsOf((await client.get('/console/keys/new')).html);
    return client.submit(path, { csrf, ...fields });
  };
  return { org, client, post };
}

const statusWith = async (key: string, path: string) =>
  (await fetch(`${app.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;

test('an administrator creates a key that is shown once, works for what it may, and is revoked', async (t) => {
  const { org, client, post } = await administrator();
  const { templateId } = await publishProcess(org.api);
  const created = await post('/console/keys/new', {
    name: 'Payroll <b>',
    scopes: 'runs:read',
    scopedTemplateIds: templateId,
    expiresAt: '2099-12-31',
  });
  t.is(created.status, 201);
  const [key = ''] = /sk_live_[0-9A-Za-z]{49}/.exec(created.html) ?? [];
  t.is(await statusWith(key, '/runs'), 200);
  t.is(await statusWith(key, '/users'), 403);

  const { html } = await client.get('/console/keys');
  t.regex(html, /Payroll &lt;b&gt;[^]*runs:read[^]*2099/);
  t.false(html.includes(key));
  const [revocation = ''] = /\/console\/keys\/[\w-]+\/revoke/.exec(html) ?? [];
  t.regex((await client.get(revocation)).html, /cannot be restored/);
  const revoked = await post(revocation, {});
  t.deepEqual([revoked.status, revoked.headers.get('location')], [303, '/console/keys?notice=revoked']);
  t.is(await statusWith(key, '/runs'), 401);
});

test('a key is restricted to the templates of folders, and not to templates and folders at once', async (t) => {
  const { org, client, post } = await administrator();
  const { id: folder } = await must(org.api.call('folders', 'create', { body: { name: 'Legal & <b>' } }));
  const { templateId } = await publishProcess(org.api);
  t.regex((await client.get('/console/keys/new')).html, /Legal &amp; &lt;b&gt;/);
  const wanted = { name: 'Audit', scopes: 'templates:read', scopedFolderIds: folder };
  const both = await post('/console/keys/new', { ...wanted, scopedTemplateIds: templateId });
  t.is(both.status, 400);
  t.regex(both.html, /href="#scopedFolderIds"[^]*choose templates or folders, not both/);
  const created = await post('/console/keys/new', wanted);
  const [key = ''] = /sk_live_[0-9A-Za-z]{49}/.exec(created.html) ?? [];
  t.is(await statusWith(key, `/templates/${templateId}`), 403);
  await must(org.api.call('templates', 'update', { params: { id: templateId }, body: { folderId: folder } }));
  t.is(await statusWith(key, `/templates/${templateId}`), 200);
});

test('a form with errors is shown again with what was entered, and creates no key', async (t) => {
  const { client, post } = await administrator();
  const { status, html } = await post('/console/keys/new', {
    name: 'Without scopes',
    expiresAt: '2001-01-01',
  });
  t.is(status, 400);
  t.regex(
    html,
    /<title>Error: Create an API key<\/title>[^]*href="#scopes"[^]*What it may do: must contain at least one scope/,
  );
  t.regex(html, /value="Without scopes"[^]*value="2001-01-01"/);
  t.false((await client.get('/console/keys')).html.includes('Without scopes'));
});

test('the form of a key can name as many templates as the API accepts', async (t) => {
  const { client } = await administrator();
  const { csrf = '' } = fieldsOf((await client.get('/console/keys/new')).html);
  const form = new URLSearchParams({ csrf, name: 'Many', scopes: 'runs:read' });
  for (let id = 0; id < 1_000; id += 1) form.append('scopedTemplateIds', randomUUID());
  const { status, html } = await client.submit('/console/keys/new', form);
  t.is(status, 400);
  t.regex(html, /Only these templates, and their runs: [^]*value="Many"/);
});

test('a form of another session changes nothing, and keys of other organizations are not listed', async (t) => {
  const { client } = await administrator();
  const fields = { csrf: 'x', name: 'Forged', scopes: 'runs:read' };
  t.is((await client.submit('/console/keys/new', fields)).status, 403);
  t.false((await client.get('/console/keys')).html.includes('Forged'));
  const other = await administrator();
  t.is((await other.post('/console/keys/new', { name: 'Theirs', scopes: 'runs:read' })).status, 201);
  t.false((await client.get('/console/keys')).html.includes('Theirs'));
});
