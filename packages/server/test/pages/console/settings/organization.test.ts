import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { formWith, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);
const path = '/console/organization';

async function administrator(plan: 'FREE' | 'ENTERPRISE' = 'ENTERPRISE') {
  const org = await newOrganization(app, { plan });
  const owner = await org.session();
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const settings = () => must(owner.call('organization', 'get'));
  /** Sends the form of a page with other values. */
  const save = (html: string, changes: Readonly<Record<string, string>>) => {
    const { fields } = formWith(html, 'Save the settings');
    for (const [name, value] of Object.entries(changes)) fields.set(name, value);
    return client.submit(path, fields);
  };
  return { org, owner, client, settings, save };
}

test('an administrator changes the name, the time zone and the reminders, and sees the plan and how much there is', async (t) => {
  const { org, client, settings, save } = await administrator();
  await org.member('Ada');
  const { html } = await client.get(path);
  t.regex(html, /moves the\s+date-only deadlines of open tasks/);
  t.regex(html, /Plan: Enterprise[^]*Webhooks:\s+included[^]*up to 1,000,000[^]*operator of this service/);
  t.regex(html, /Active members<\/a><\/dt>\s*<dd>2<\/dd>/);
  t.regex(html, /<option value="UTC" selected>/);
  const saved = await save(html, { name: 'North & <b>', timezone: 'Asia/Kolkata', remindBefore: 'PT4H' });
  t.deepEqual([saved.status, saved.headers.get('location')], [303, `${path}?notice=changed`]);
  t.like(await settings(), { name: 'North & <b>', timezone: 'Asia/Kolkata', remindBefore: 'PT4H' });
  t.regex(
    (await client.get(path)).html,
    /value="North &amp; &lt;b&gt;"[^]*<option value="Asia\/Kolkata" selected>[^]*<option value="PT4H" selected>/,
  );
});

test('a change since the form was shown is not overwritten, and the page shows both values', async (t) => {
  const { owner, client, settings, save } = await administrator();
  const { html } = await client.get(path);
  await must(owner.call('organization', 'update', { body: { name: 'Theirs <i>' } }));
  const conflict = await save(html, { name: 'Mine <b>' });
  t.is(conflict.status, 412);
  t.regex(conflict.html, /<title>Error: [^]*Theirs &lt;i&gt;[^]*Mine &lt;b&gt;[^]*value="Mine &lt;b&gt;"/);
  t.is((await settings()).name, 'Theirs <i>');
  t.is((await save(conflict.html, {})).status, 303);
  t.is((await settings()).name, 'Mine <b>');

  // A form with errors is still a change of what it was first shown with.
  const invalid = (await save((await client.get(path)).html, { name: '' })).html;
  await must(owner.call('organization', 'update', { body: { name: 'Theirs again' } }));
  t.is((await save(invalid, { name: 'Mine again' })).status, 412);
  for (const version of ['', 'x', '"é']) t.is((await save(invalid, { name: 'Mine', version })).status, 412, version);
  t.is((await settings()).name, 'Theirs again');
});

test('a form with errors keeps what was entered, and one of another session changes nothing', async (t) => {
  const { client, settings, save } = await administrator('FREE');
  const { html } = await client.get(path);
  t.regex(html, /Webhooks:\s+not included; Business and higher[^]*Ask them for a higher one/);
  const rejected = await save(html, { name: ' ', timezone: 'Mars/"><b>' });
  t.is(rejected.status, 400);
  t.regex(rejected.html, /href="#name">Name: must not be empty/);
  t.regex(rejected.html, /<option value="Mars\/&quot;&gt;&lt;b&gt;" selected>/);
  t.is((await save(html, { timezone: 'Mars/Base' })).status, 400);
  t.is((await save(html, { csrf: 'x', name: 'Forged' })).status, 403);
  t.like(await settings(), { name: 'Test', timezone: 'UTC' });
});

test('a member who is not an administrator gets a page that says who may open it', async (t) => {
  const { owner, settings } = await administrator();
  const { email, password } = await addMember(app.baseUrl, owner);
  const client = newClient(app);
  await client.signIn(email, password);
  const { status, html } = await client.get(path);
  t.is(status, 403);
  t.regex(html, /Only owners and admins of the organization may do this/);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(html) ?? [];
  t.is((await client.submit(path, { csrf, name: 'Mine', timezone: 'UTC', version: '*' })).status, 403);
  t.is((await settings()).name, 'Test');
});
