import { signIn } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

/** A member without a role, in a browser. */
async function signedIn() {
  const org = await newOrganization(app);
  const owner = await org.session();
  const member = await addMember(app.baseUrl, owner, { name: 'Ada <b>' });
  const client = newClient(app);
  await client.signIn(member.email, member.password);
  const post = async (path: string, fields: Readonly<Record<string, string>> = {}) =>
    client.submit(path, { csrf: fieldsOf((await client.get('/console/account')).html)['csrf'] ?? '', ...fields });
  return { org, owner, member, client, post };
}

test('every member sees who they are and the parts of the settings that they may open', async (t) => {
  const { client, member } = await signedIn();
  const { status, html } = await client.get('/console/account');
  t.is(status, 200);
  t.true(html.includes(member.email));
  t.regex(html, /Ada &lt;b&gt;[^]*Member/);
  t.regex(html, /Times are in UTC\./);
  const [, settings = ''] = /<nav aria-label="Settings">([^]*?)<\/nav>/.exec(html) ?? [];
  t.deepEqual(
    [...settings.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
    ['/console/account', '/console/folders', '/console/webhooks'],
  );
});

test('a password is changed only with the current one and the new one twice, and none is shown again', async (t) => {
  const { client, member, post } = await signedIn();
  const change = (currentPassword: string, newPassword: string, repeatedPassword = newPassword) =>
    post('/console/account/password', { currentPassword, newPassword, repeatedPassword });
  const { password } = member;
  for (const [response, anchor, message] of [
    [await change('not the one', 'long enough'), 'currentPassword', 'Current password: incorrect'],
    [await change(password, 'short'), 'newPassword', 'New password: must be at least 8 characters'],
    [await change(password, 'long enough', 'long enougj'), 'repeatedPassword', 'must be the same as the new password'],
  ] as const) {
    t.is(response.status, 400);
    t.regex(response.html, new RegExp(`<title>Error: [^]*href="#${anchor}">[^<]*${message}[^]*id="${anchor}-error"`));
    t.notRegex(response.html, /not the one|long enoug|value="short"/);
  }
  t.is((await member.session.call('auth', 'session')).status, 200);
  const changed = await change(password, 'long enough');
  t.deepEqual([changed.status, changed.headers.get('location')], [303, '/console/account?notice=passwordChanged']);
  t.is((await client.get('/console/account')).status, 200);
  t.is((await member.session.call('auth', 'session')).status, 401);
  await signIn(app.baseUrl, member.email, 'long enough');
});

test('a member chooses what they are told by mail', async (t) => {
  const { client, member, post } = await signedIn();
  t.regex((await client.get('/console/account')).html, /does not send mail yet[^]*In UTC, the time zone/);
  const saved = await post('/console/account/notifications', {
    ASSIGNED: 'DIGEST',
    OVERDUE: 'NEVER',
    digestHour: '17',
  });
  t.deepEqual([saved.status, saved.headers.get('location')], [303, '/console/account?notice=changed']);
  const { kinds, digestHour } = await must(member.session.call('me.notifications', 'get'));
  t.like(kinds, { ASSIGNED: 'DIGEST', OVERDUE: 'NEVER', APPROVAL: 'AT_ONCE' });
  t.is(digestHour, 17);
  const { html } = await client.get('/console/account');
  t.regex(html, /name="ASSIGNED"[^]*?value="DIGEST" selected[^]*?<\/select>/);
  t.regex(html, /value="17" selected/);
  for (const forged of [{ ASSIGNED: '<script>' }, { digestHour: '99' }])
    t.is((await post('/console/account/notifications', forged)).status, 400);
});

test('a member ends one session, or all others, but none of someone else', async (t) => {
  const { client, owner, member, post } = await signedIn();
  const { html } = await client.get('/console/account');
  const endings = [...html.matchAll(/action="(\/console\/account\/sessions\/[\w-]+\/end)"/g)].map(([, path]) => path);
  t.is(endings.length, 1);
  t.regex(html, /This session/);
  const ended = await post(endings[0] ?? '');
  t.deepEqual([ended.status, ended.headers.get('location')], [303, '/console/account?notice=sessionEnded']);
  t.is((await member.session.call('auth', 'session')).status, 401);

  const others = [
    await signIn(app.baseUrl, member.email, member.password),
    await signIn(app.baseUrl, member.email, member.password),
  ];
  const all = await post('/console/account/sessions/end-others');
  t.is(all.headers.get('location'), '/console/account?notice=sessionsEnded');
  for (const other of others) t.is((await other.call('auth', 'session')).status, 401);
  t.notRegex((await client.get('/console/account')).html, /end-others|\/end"/);

  const foreign = (await must(owner.call('auth', 'sessions'))).data[0]?.id;
  t.is((await post(`/console/account/sessions/${foreign}/end`)).status, 404);
  t.is((await owner.call('auth', 'session')).status, 200);
});

test('a form of another session changes nothing, and what asks to send it again holds no password', async (t) => {
  const { client, member } = await signedIn();
  const fields = { currentPassword: member.password, newPassword: 'long enough', repeatedPassword: 'long enough' };
  const forged = await client.submit('/console/account/password', { csrf: 'x', ...fields });
  t.is(forged.status, 403);
  client.cookies.clear();
  const late = await client.submit('/console/account/password', { csrf: 'x', ...fields });
  for (const { html } of [forged, late]) {
    t.false(html.includes(member.password));
    t.false(html.includes('long enough'));
  }
  await signIn(app.baseUrl, member.email, member.password);
});
