import { apiWith } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { newAddress, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { linesOf } from '../support/audit.ts';
import { connectTo } from '../support/database/connect.ts';

const app = useSharedApp(test);
const address = newAddress();
const login = (email: string, password: string) =>
  apiWith(app.baseUrl, { 'x-forwarded-for': address }).call('auth', 'login', { body: { email, password } });

test('signing in, signing out and ending a session leave lines with the session', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const ada = await addMember(app.baseUrl, owner);
  const query = { actorId: ada.id };
  const [started] = await linesOf(owner, query);
  const other = (await must((await login(ada.email, ada.password)) && ada.session.call('auth', 'sessions'))).data;
  const id = other.find(({ isCurrent }) => !isCurrent)?.id ?? '';
  await must(ada.session.call('auth', 'endSession', { params: { id } }));
  await must(ada.session.call('auth', 'logout'));
  const lines = await linesOf(owner, query);
  t.deepEqual(
    lines.map(({ action, target }) => [action, target.id]),
    [
      ['session.ended', started?.target.id],
      ['session.ended', id],
      ['session.started', id],
      ['session.started', started?.target.id],
    ],
  );
});

test('a wrong password leaves a line for the member, after the same response as for no account', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  // Nothing can be recorded until this transaction ends, and the response does not wait for it.
  const holder = await connectTo(t, app.databaseUrl);
  await holder.query('begin');
  await holder.query('select from audit_heads where organization_id = $1 for update', [org.organizationId]);
  const wrong = await login(org.ownerEmail, 'a wrong password');
  await holder.query('rollback');
  const unknown = await login('nobody@example.com', 'a wrong password');
  t.deepEqual([wrong.status, wrong.error.message], [401, unknown.error.message]);
  t.deepEqual([...wrong.headers.keys()], [...unknown.headers.keys()]);
  const query = { action: 'session.rejected' } as const;
  await until(async () => (await linesOf(owner, query)).length > 0, 'the line');
  const [line, ...others] = await linesOf(owner, query);
  t.deepEqual(others, []);
  t.like(line, {
    actor: { type: 'ANONYMOUS', userId: null, apiKeyId: null },
    address,
    target: { type: 'USER', id: org.ownerUserId, label: org.ownerEmail },
    after: { status: 'ACTIVE' },
  });
});

test('the form for signing in leaves the same lines', async (t) => {
  const org = await newOrganization(app);
  const client = newClient(app);
  await client.signIn(org.ownerEmail, 'a wrong password');
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const owner = await org.session();
  await until(async () => (await linesOf(owner, { targetId: org.ownerUserId })).length > 1, 'the line of the failure');
  const actions = (await linesOf(owner)).map(({ action }) => action);
  t.is(actions.filter((action) => action === 'session.started').length, 2);
  t.is(actions.filter((action) => action === 'session.rejected').length, 1);
});

test('a deactivated member who tries to sign in leaves a line', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const ada = await addMember(app.baseUrl, owner);
  await must(owner.call('users', 'delete', { params: { id: ada.id } }));
  t.is((await login(ada.email, ada.password)).status, 401);
  const query = { action: 'session.rejected', targetId: ada.id } as const;
  await until(async () => (await linesOf(owner, query)).length > 0, 'the line');
  t.deepEqual((await linesOf(owner, query))[0]?.after, { status: 'DEACTIVATED' });
});

test('attempts beyond the throttle leave no lines', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 13; attempt += 1) statuses.push((await login(org.ownerEmail, 'wrong')).status);
  const rejected = statuses.filter((status) => status === 401).length;
  t.is(statuses.at(-1), 429);
  const query = { action: 'session.rejected' } as const;
  await until(async () => (await linesOf(owner, query)).length === rejected, 'a line for each 401');
});

test('a new password leaves a line, whoever sets it', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const ada = await addMember(app.baseUrl, owner);
  const body = { currentPassword: ada.password, newPassword: 'another password' };
  await must(ada.session.call('auth', 'changePassword', { body }));
  await must(owner.call('users', 'update', { params: { id: ada.id }, body: { password: 'a third password' } }));
  const lines = await linesOf(owner, { action: 'user.password_set' });
  t.deepEqual(
    lines.map(({ actor, target }) => [actor.userId, target.id]),
    [
      [org.ownerUserId, ada.id],
      [ada.id, ada.id],
    ],
  );
});
