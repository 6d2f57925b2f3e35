import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);
const hostile = `<b>"'&amp;`;
const shown = '&lt;b&gt;&quot;&#39;&amp;amp;';

async function administrator() {
  const org = await newOrganization(app);
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  return { org, client, session: await org.session() };
}

test('an administrator finds a change with its properties, and downloads what is shown', async (t) => {
  const { org, client, session } = await administrator();
  const { id } = await must(session.call('groups', 'create', { body: { name: 'Purchasing' } }));
  await must(session.call('groups', 'update', { params: { id }, body: { name: hostile } }));
  const { html, status } = await client.get(`/console/audit-log?action=group.updated&actorId=${org.ownerUserId}`);
  t.is(status, 200);
  t.regex(html, /1 line\.[^]*Group updated[^]*<details>[^]*name<\/dt>[^]*Purchasing → /);
  t.true(html.includes(`<bdi>${shown}</bdi>`), html);
  t.regex(html, new RegExp(`href="/console/audit-log\\?action=group.updated&amp;actorId=[^"]*targetId=${id}`));
  const file = /href="(\/audit-log\/export[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  t.is(file, `/audit-log/export?action=group.updated&actorId=${org.ownerUserId}`);
  const download = await session.raw('GET', file);
  t.is(download.status, 200);
  t.is(String(download.body).trimEnd().split('\r\n').length, 2);
});

test('the period is in the time zone of the organization, and a wrong filter is rejected beside its field', async (t) => {
  const { client, session } = await administrator();
  await must(session.call('organization', 'update', { body: { timezone: 'Europe/Berlin' } }));
  const period = await client.get('/console/audit-log?from=2020-01-01T09:00&to=2999-01-01T09:00');
  t.regex(period.html, /from=2020-01-01T08%3A00%3A00/);
  t.regex((await client.get('/console/audit-log?to=2020-01-01T09:00')).html, /Nothing like that was done/);
  for (const [query, field] of [
    ['targetId=1', 'targetId'],
    ['action=none', 'action'],
    ['from=yesterday', 'from'],
  ]) {
    const { status, html } = await client.get(`/console/audit-log?${query}`);
    t.is(status, 400, query);
    t.regex(html, new RegExp(`href="#${field}"[^]*id="${field}-error"`));
  }
});

test('further lines are on the next page', async (t) => {
  const { client, session } = await administrator();
  for (let n = 0; n < 50; n += 1) await must(session.call('groups', 'create', { body: { name: `Group ${n}` } }));
  const { html } = await client.get('/console/audit-log');
  const next = /href="([^"]*cursor=[^"]*)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await client.get(next);
  const first = /scope="row">Organization created/;
  t.notRegex(html, first);
  t.regex(second.html, first);
});

test('members who are not administrators see no audit log', async (t) => {
  const { session } = await administrator();
  const member = await addMember(app.baseUrl, session);
  const other = newClient(app);
  await other.signIn(member.email, member.password);
  t.is((await other.get('/console/audit-log')).status, 403);
  t.false((await other.get('/console/account')).html.includes('href="/console/audit-log"'));
});
