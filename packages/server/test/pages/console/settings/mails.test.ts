import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { formOf } from '../../../support/form-of.ts';
import { newMailId } from '../../../support/world/mails.ts';

const app = useSharedApp(test);
const hostile = `<b>"'&amp;`;
const shown = '&lt;b&gt;&quot;&#39;&amp;amp;';

async function administrator() {
  const org = await newOrganization(app);
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  return { org, client };
}

test('an administrator finds a mail that bounced, with the reply of the mail server, and sends it again', async (t) => {
  const { org, client } = await administrator();
  const empty = await client.get('/console/mails');
  t.regex(empty.html, /This service does not send mail\.[^]*There are no such mails/);
  const id = await newMailId(app, org, `Assigned to you: ${hostile}`);
  const list = await client.get(`/console/mails?status=BOUNCED&userId=${org.ownerUserId}`);
  t.regex(list.html, /1 mail<[^]*status bounced/);
  t.true(list.html.includes(`href="/console/mails/${id}"><bdi>Assigned to you: ${shown}</bdi>`), list.html);
  const page = await client.get(`/console/mails/${id}`);
  t.true(page.html.includes(`Assigned to you: ${shown}</h1>`), page.html);
  t.regex(page.html, /550 5\.1\.1 User unknown/);
  const { path, fields } = formOf(page.html, '/resend');
  t.is((await client.submit(path, { csrf: 'forged' })).status, 403);
  const sent = await client.submit(path, fields);
  t.is(sent.headers.get('location'), `/console/mails/${id}?notice=mailResent`);
  t.regex((await client.get(`/console/mails/${id}?notice=mailResent`)).html, /The mail is sent again\.[^]*Send now/);
  await app.provision.query(`update mails set status = 'SENT', sent_at = now() where id = $1`, [id]);
  const rejected = await client.submit(path, fields);
  t.is(rejected.status, 400);
  t.regex(rejected.html, /sent less than an hour ago/);
});

test('a mail that waits for a limit says so, and a wrong filter is rejected beside its field', async (t) => {
  const { org, client } = await administrator();
  const id = await newMailId(app, org);
  await app.provision.query(`update mails set status = 'PENDING', held_by = 'MEMBER_LIMIT' where id = $1`, [id]);
  for (const path of ['/console/mails', `/console/mails/${id}`])
    t.regex((await client.get(path)).html, /Waits: the member got as many mails in 24 hours/);
  const wrong = await client.get('/console/mails?status=LATE');
  t.is(wrong.status, 400);
  t.regex(wrong.html, /href="#status">Status: [^]*id="status-error"/);
});

test('members who are not administrators see no mails, and those of another organization do not exist', async (t) => {
  const { org, client } = await administrator();
  const foreign = await newMailId(app, await newOrganization(app));
  t.is((await client.get(`/console/mails/${foreign}`)).status, 404);
  const member = await addMember(app.baseUrl, await org.session());
  const other = newClient(app);
  await other.signIn(member.email, member.password);
  const own = await newMailId(app, org);
  for (const path of ['/console/mails', `/console/mails/${own}`]) t.is((await other.get(path)).status, 403);
  t.false((await other.get('/console/account')).html.includes('href="/console/mails"'));
});
