import { passkeysPerMember } from '@runward/contract';
import { apiOf, apiWith } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { addPasskey, newAuthenticator, signInWith } from '../support/world/authenticator.ts';

const app = useSharedApp(test);
const nobody = () => apiOf(app.baseUrl, null);

const actionsOf = async (organizationId: string) => {
  const rows = await app.provision.query<{ action: string }>(
    'select action from audit_lines where organization_id = $1 order by sequence',
    [organizationId],
  );
  return rows.map(({ action }) => action);
};

test('a member adds a passkey, signs in with it, renames and removes it, and the audit log says so', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { authenticator, passkey } = await addPasskey(app.baseUrl, owner, 'Laptop');
  t.like(passkey, { name: 'Laptop', lastUsedAt: null });
  const { status, body, headers } = await signInWith(app.baseUrl, authenticator);
  t.is(status, 200);
  t.is(body.user.id, org.ownerUserId);
  const [session = '', csrf = ''] = headers.getSetCookie();
  t.regex(session, /^flow_session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/);
  const browser = apiWith(app.baseUrl, { cookie: session.split(';')[0] ?? '' });
  t.is((await browser.call('auth', 'session')).status, 200);
  t.regex(csrf, /^flow_csrf=/);
  const params = { id: passkey.id };
  t.is((await must(owner.call('auth', 'renamePasskey', { params, body: { name: ' Phone ' } }))).name, 'Phone');
  const [listed] = (await must(owner.call('auth', 'passkeys'))).data;
  t.is(listed?.name, 'Phone');
  t.truthy(listed?.lastUsedAt);
  t.is((await owner.call('auth', 'deletePasskey', { params })).status, 204);
  t.is((await owner.call('auth', 'deletePasskey', { params })).status, 404);
  t.is((await must(owner.call('auth', 'passkeys'))).total, 0);
  t.is((await signInWith(app.baseUrl, authenticator)).status, 401, 'a removed passkey');
  const actions = await actionsOf(org.organizationId);
  const wanted = ['user.passkey_added', 'session.started', 'user.passkey_renamed', 'user.passkeys_removed'];
  t.deepEqual(actions.slice(-4), wanted);
});

test('each sign-in starts a session of its own and ends the one that the browser had', async (t) => {
  const org = await newOrganization(app);
  const { authenticator } = await addPasskey(app.baseUrl, await org.session());
  const first = (await signInWith(app.baseUrl, authenticator)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const before = apiWith(app.baseUrl, { cookie: first });
  t.is((await before.call('auth', 'session')).status, 200);
  const body = authenticator.get(await must(before.call('auth', 'beginPasskeySignIn')));
  const second = await before.call('auth', 'signInWithPasskey', { body });
  t.is(second.status, 200);
  t.not(second.headers.getSetCookie()[0]?.split(';')[0], first);
  t.is((await before.call('auth', 'session')).status, 401);
});

test('beginning to sign in is the same with and without passkeys, and names nobody', async (t) => {
  const { options, token, expiresAt } = await must(nobody().call('auth', 'beginPasskeySignIn'));
  t.deepEqual(Object.keys(options).toSorted(), ['challenge', 'rpId', 'timeout', 'userVerification']);
  t.is(options.rpId, '127.0.0.1');
  t.is(options.userVerification, 'required');
  t.true(Math.abs(Date.parse(expiresAt) - Date.now() - 300_000) < 60_000);
  const again = await must(nobody().call('auth', 'beginPasskeySignIn'));
  t.not(again.options.challenge, options.challenge);
  t.not(again.token, token);
});

test('what authenticators have already is excluded, and a credential is added once over all organizations', async (t) => {
  const one = await (await newOrganization(app)).session();
  const { authenticator } = await addPasskey(app.baseUrl, one);
  const begun = await must(one.call('auth', 'beginPasskey'));
  t.deepEqual(begun.options.excludeCredentials, [
    { type: 'public-key', id: authenticator.id, transports: ['internal'] },
  ]);
  const other = await (await newOrganization(app)).session();
  const body = authenticator.create(await must(other.call('auth', 'beginPasskey')));
  const { status, error } = await other.call('auth', 'addPasskey', { body });
  t.is(status, 400);
  t.deepEqual(error.message, ['credential.id: is a passkey already']);
  t.is((await must(other.call('auth', 'passkeys'))).total, 0);
});

test('a member has at most 20 passkeys, also if several are added at once', async (t) => {
  const owner = await (await newOrganization(app)).session();
  for (let count = 0; count < passkeysPerMember - 1; count += 1) await addPasskey(app.baseUrl, owner);
  const bodies = [];
  for (let count = 0; count < 3; count += 1) {
    bodies.push(newAuthenticator(app.baseUrl).create(await must(owner.call('auth', 'beginPasskey'))));
  }
  const statuses = await Promise.all(
    bodies.map(async (body) => (await owner.call('auth', 'addPasskey', { body })).status),
  );
  t.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [201, 400, 400],
  );
  t.is((await must(owner.call('auth', 'passkeys'))).total, passkeysPerMember);
  t.is((await owner.call('auth', 'beginPasskey')).status, 400);
});

test('passkeys of others are neither seen nor changed', async (t) => {
  const owner = await (await newOrganization(app)).session();
  const member = await addMember(app.baseUrl, owner);
  const { passkey } = await addPasskey(app.baseUrl, member.session);
  const params = { id: passkey.id };
  for (const other of [owner, await (await newOrganization(app)).session()]) {
    t.is((await must(other.call('auth', 'passkeys'))).total, 0);
    t.is((await other.call('auth', 'renamePasskey', { params, body: { name: 'Mine' } })).status, 404);
    t.is((await other.call('auth', 'deletePasskey', { params })).status, 404);
  }
  t.is((await must(member.session.call('auth', 'passkeys'))).data[0]?.name, 'Laptop');
});

test('an administrator sees and removes the passkeys of a member, which ends their sessions', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const member = await addMember(app.baseUrl, owner);
  const params = { id: member.id };
  t.is((await owner.call('users', 'deletePasskeys', { params })).status, 204, 'there are none');
  t.is((await member.session.call('auth', 'session')).status, 200);
  const { authenticator } = await addPasskey(app.baseUrl, member.session);
  t.is((await must(owner.call('users', 'passkeys', { params }))).total, 1);
  t.is((await member.session.call('users', 'passkeys', { params })).status, 403);
  t.is((await member.session.call('users', 'deletePasskeys', { params })).status, 403);
  const foreign = await (await newOrganization(app)).session();
  t.is((await foreign.call('users', 'passkeys', { params })).status, 404);
  t.is((await foreign.call('users', 'deletePasskeys', { params })).status, 404);
  t.is((await owner.call('users', 'deletePasskeys', { params })).status, 204);
  t.is((await member.session.call('auth', 'session')).status, 401);
  t.is((await signInWith(app.baseUrl, authenticator)).status, 401);
  t.is((await actionsOf(org.organizationId)).filter((action) => action === 'user.passkeys_removed').length, 1);
});

test('only owners remove the passkeys of owners', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  await addPasskey(app.baseUrl, owner);
  t.is((await admin.session.call('users', 'deletePasskeys', { params: { id: org.ownerUserId } })).status, 403);
  t.is((await must(owner.call('auth', 'passkeys'))).total, 1);
});
