import { signIn } from '@runward/testing/api';
import { secrets } from '@runward/testing/checks/secrets';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { formOf, withField } from '../../../support/form-of.ts';

const app = useSharedApp(test);
const root = '/console/members';

/** A browser in which a member has signed in. */
async function browserOf({ email, password }: { readonly email: string; readonly password: string }) {
  const client = newClient(app);
  await client.signIn(email, password);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await client.get('/console/account')).html) ?? [];
  return {
    get: client.get,
    post: (path: string, fields: Readonly<Record<string, string>> = {}) => client.submit(path, { csrf, ...fields }),
  };
}

async function organization() {
  const org = await newOrganization(app);
  const session = await org.session();
  const owner = await browserOf({ email: org.ownerEmail, password: org.ownerPassword });
  const read = (id: string) => must(org.api.call('users', 'get', { params: { id } }));
  return { org, session, owner, read };
}

test('members are listed by status, 50 on a page, and found by their email address', async (t) => {
  const { org, session, owner } = await organization();
  const { email } = await org.member('Ada <b>');
  const { id } = await org.member('Gone away');
  await must(session.call('users', 'delete', { params: { id } }));
  const active = (await owner.get(root)).html;
  t.regex(active, /Active <span class="count">2[^]*Deactivated <span class="count">1[^]*All <span class="count">3/);
  t.regex(active, /Ada &lt;b&gt;/);
  t.notRegex(active, /Gone away|rel="next"/);
  t.regex((await owner.get(`${root}?status=DEACTIVATED`)).html, /Gone away/);
  const found = (await owner.get(`${root}?email=${encodeURIComponent(email.toUpperCase())}`)).html;
  t.regex(found, /Ada &lt;b&gt;[^]*Times are in UTC/);
  t.notRegex(found, new RegExp(org.ownerEmail));
  t.regex((await owner.get(`${root}?email=nobody@example.com`)).html, /No members match/);
  const odd = await owner.get(`${root}?email=%22%3E%3Cb%3E`);
  t.is(odd.status, 400);
  t.regex(odd.html, /href="#email">Email address: must be an email address[^]*value="&quot;&gt;&lt;b&gt;"/);

  for (let count = 0; count < 50; count += 1) await org.member(`Member ${count}`);
  const [, next = ''] = /href="([^"]+)" rel="next"/.exec((await owner.get(root)).html) ?? [];
  t.regex((await owner.get(next.replaceAll('&amp;', '&'))).html, new RegExp(org.ownerEmail));
});

test('a new member can sign in; a form with errors keeps all but the password', async (t) => {
  const { org, owner } = await organization();
  const email = `new.${org.organizationId}@example.com`;
  const fields = { name: 'Grace "> <b>', email, role: 'ADMIN', password: 'long enough' };
  const rejected = await owner.post(`${root}/new`, { ...fields, email: org.ownerEmail });
  t.is(rejected.status, 400);
  t.regex(rejected.html, /href="#email">Email address: already in use; use another address/);
  t.regex(rejected.html, /value="Grace &quot;&gt; &lt;b&gt;"[^]*<option value="ADMIN" selected>/);
  t.false(rejected.html.includes('long enough'));
  const added = await owner.post(`${root}/new`, fields);
  t.is(added.status, 303);
  t.regex((await owner.get(added.headers.get('location') ?? '')).html, /can sign in now[^]*Grace &quot;&gt; &lt;b&gt;/);
  await signIn(app.baseUrl, email, 'long enough');
});

test('a name, a role and a password are changed, and a new password ends the sessions of the member', async (t) => {
  const { session, owner, read } = await organization();
  const { id, email, session: theirs } = await addMember(app.baseUrl, session);
  const page = `${root}/${id}`;
  t.is((await owner.post(page, { name: 'Renamed', role: 'ADMIN' })).headers.get('location'), `${page}?notice=changed`);
  t.like(await read(id), { name: 'Renamed', role: 'ADMIN' });
  const rejected = await owner.post(page, { name: '', role: 'OWNER' });
  t.is(rejected.status, 400);
  t.regex(rejected.html, /href="#name">Name: must not be empty[^]*<option value="OWNER" selected>/);
  t.regex(
    (await owner.post(`${page}/password`, { password: 'short' })).html,
    /Password: must be at least 8 characters/,
  );
  t.is((await theirs.call('auth', 'session')).status, 200);
  t.is((await owner.post(`${page}/password`, { password: 'a new password' })).status, 303);
  t.is((await theirs.call('auth', 'session')).status, 401);
  await signIn(app.baseUrl, email, 'a new password');
});

test('a form that was shown before somebody else changed the member changes only what differs from what it showed', async (t) => {
  const { org, session, owner, read } = await organization();
  const { id } = await org.member('Ada');
  const { path, fields } = formOf((await owner.get(`${root}/${id}`)).html, id);
  await must(session.call('users', 'update', { params: { id }, body: { role: 'VIEWER' } }));
  t.is((await owner.post(path, Object.fromEntries(withField(fields, 'name', 'Ada L.')))).status, 303);
  t.like(await read(id), { name: 'Ada L.', role: 'VIEWER' });
  const rejected = await owner.post(path, Object.fromEntries(withField(fields, 'name', '')));
  const again = formOf(rejected.html, id).fields;
  t.is((await owner.post(path, Object.fromEntries(withField(again, 'name', 'Grace')))).status, 303);
  t.like(await read(id), { name: 'Grace', role: 'VIEWER' });
});

test('a member is deactivated after a page that states their open tasks, which can be handed over, and reactivated', async (t) => {
  const { org, session, owner, read } = await organization();
  const { id } = await org.member('Ada');
  const { templateId } = await publishProcess(org.api, [{ title: 'Review' }]);
  const taskId = (await launchRun(org.api, templateId)).byTitle('Review').runTaskId;
  await must(org.api.call('runs.tasks', 'setAssignee', { params: { taskId }, body: { assigneeId: id } }));

  const asked = await owner.get(`${root}/${id}/deactivate`);
  t.regex(asked.html, /can no longer sign in[^]*1 open task is assigned to them directly/);
  t.notRegex(asked.html, new RegExp(`value="user:${id}"`));
  t.is((await owner.post(`${root}/${id}/deactivate`, { to: `user:${id}` })).status, 400);
  t.is((await read(id)).status, 'ACTIVE');
  const to = `user:${org.ownerUserId}`;
  t.is(
    (await owner.post(`${root}/${id}/deactivate`, { to })).headers.get('location'),
    `${root}/${id}?notice=deactivated`,
  );
  t.is((await read(id)).status, 'DEACTIVATED');
  const params = { id: org.ownerUserId };
  t.is((await must(session.call('users', 'openTasks', { params }))).total, 1);

  t.regex((await owner.get(`${root}/${id}`)).html, /Reactivate the member/);
  t.is((await owner.post(`${root}/${id}/reactivate`)).status, 303);
  t.is((await read(id)).status, 'ACTIVE');
  t.regex((await owner.get(`${root}/${id}/deactivate`)).html, /No open task is/);
});

test('an admin is not offered changes of owners; a form that is sent nevertheless is rejected with the reason', async (t) => {
  const { org, session, read } = await organization();
  const member = await addMember(app.baseUrl, session, { role: 'ADMIN' });
  const admin = await browserOf(member);
  const page = `${root}/${org.ownerUserId}`;
  const { html } = await admin.get(page);
  t.regex(html, /Only owners manage owners/);
  t.notRegex(html, /Save the changes|Set the password|Deactivate/);
  t.notRegex((await admin.get(`${root}/new`)).html, /value="OWNER"/);
  const reason = /Only owners of the organization may add or change an owner; ask one of them/;
  for (const [path, fields] of [
    [page, { name: 'x', role: 'MEMBER' }],
    [`${page}/password`, { password: 'long enough' }],
    [`${page}/deactivate`, { to: `user:${member.id}` }],
    [`${root}/new`, { name: 'x', email: 'x@example.com', role: 'OWNER', password: 'long enough' }],
  ] as const) {
    t.regex((await admin.post(path, fields)).html, reason, path);
  }
  t.like(await read(org.ownerUserId), { name: 'Owner', role: 'OWNER', status: 'ACTIVE' });
  const own = (await admin.get(`${root}/${member.id}`)).html;
  t.regex(own, /This is you/);
  t.notRegex(own, /Set the password|Deactivate…/);
  t.regex((await admin.post(`${root}/${member.id}/deactivate`)).html, /You cannot deactivate yourself/);
});

test('members without a role, forged forms and members of other organizations are rejected', async (t) => {
  const [{ session, owner }, stranger] = [await organization(), await organization()];
  const member = await addMember(app.baseUrl, session);
  const client = await browserOf(member);
  for (const path of [root, `${root}/new`, `${root}/${member.id}`, `${root}/${member.id}/deactivate`]) {
    const { status, html } = await client.get(path);
    t.is(status, 403, path);
    t.regex(html, /Only owners and admins/);
  }
  t.is((await client.post(`${root}/${member.id}`, { name: 'x', role: 'OWNER' })).status, 403);
  for (const path of ['', '/password', '/deactivate', '/reactivate']) {
    const fields = { name: 'x', role: 'OWNER', password: 'long enough' };
    t.is((await owner.post(`${root}/${member.id}${path}`, { ...fields, csrf: 'x' })).status, 403);
    t.is((await stranger.owner.post(`${root}/${member.id}${path}`, fields)).status, 404);
  }
  t.is((await stranger.owner.get(`${root}/${member.id}`)).status, 404);
  t.like((await must(member.session.call('auth', 'session'))).user, { name: 'Member', role: 'MEMBER' });
});

test('a member without a password is invited with a link, which is shown once, replaced and revoked', async (t) => {
  const { org, owner } = await organization();
  const email = `invited.${org.organizationId}@example.com`;
  const invited = await owner.post(`${root}/new`, { name: 'Ada', email, role: 'MEMBER', password: '' });
  t.is(invited.status, 201);
  const linkIn = (page: string) => {
    const [, url = ''] = /id="link"[^>]* value="([^"]+)"/.exec(page) ?? [];
    secrets.remember(url.slice(url.lastIndexOf('/') + 1));
    return new URL(url).pathname;
  };
  const first = linkIn(invited.html);
  t.regex(invited.html, /<h1>The invitation is ready<\/h1>[^]*This service sends no mail\./);
  const [, page = ''] = /href="([^"]+)">Go to the member/.exec(invited.html) ?? [];
  const shown = (await owner.get(page)).html;
  t.regex(shown, /has no password yet[^]*It works until[^]*Replace it by an invitation[^]*Revoke the link/);
  t.false(shown.includes(first));

  const second = linkIn((await owner.post(`${page}/password-link`)).html);
  t.is((await newClient(app).get(first)).status, 404);
  t.is((await newClient(app).get(second)).status, 200);
  const revoked = await owner.post(`${page}/password-link/revoke`);
  t.is(revoked.headers.get('location'), `${page}?notice=linkRevoked`);
  t.is((await newClient(app).get(second)).status, 404);
  t.regex((await owner.get(page)).html, /Create an invitation/);
});

test('the page of a member with a password offers a reset link, and that of a deactivated one none', async (t) => {
  const { session, owner } = await organization();
  const { id } = await addMember(app.baseUrl, session);
  const page = `${root}/${id}`;
  t.regex((await owner.get(page)).html, /Create a reset link/);
  await must(session.call('users', 'delete', { params: { id } }));
  t.notRegex((await owner.get(page)).html, /Create a reset link/);
  const rejected = await owner.post(`${page}/password-link`);
  t.is(rejected.status, 400);
  t.regex(rejected.html, /There is a problem[^]*The member is deactivated and cannot sign in; reactivate them first\./);
});
