import { createHash, randomUUID } from 'node:crypto';
import { apiOf } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { signToken } from '../../../src/adapters/signed-token.ts';
import { addPasskey, newAuthenticator, signInWith, type Forgery } from '../../support/world/authenticator.ts';

const app = useSharedApp(test);
const nobody = () => apiOf(app.baseUrl, null);

const forgeries: Readonly<Record<string, Forgery>> = {
  'another challenge': { challenge: 'x'.repeat(43) },
  'another origin': { origin: 'https://runward.example.org' },
  'another port': { origin: 'http://127.0.0.1:9' },
  'another RP ID': { rpId: 'localhost' },
  'a frame of another site': { crossOrigin: true },
  'no user verification': { isVerified: false },
};

test('a sign-in that was not made for this challenge, service and member is rejected and recorded', async (t) => {
  const org = await newOrganization(app);
  const { authenticator } = await addPasskey(app.baseUrl, await org.session());
  const ofSignIn = {
    ...forgeries,
    'a registration': { type: 'webauthn.create' },
    'another member': { userHandle: Buffer.from(randomUUID()).toString('base64url') },
  };
  for (const [name, forgery] of Object.entries(ofSignIn)) {
    const { status, headers, error } = await signInWith(app.baseUrl, authenticator, forgery);
    t.is(status, 401, name);
    t.regex(String(error.message), /^The passkey was not accepted/, name);
    t.deepEqual(headers.getSetCookie(), [], name);
  }
  t.is((await signInWith(app.baseUrl, authenticator)).status, 200, 'what the forgeries were made of');
  const recorded = async () => {
    const text = `select 1 from audit_lines where organization_id = $1 and action = 'session.rejected'`;
    return (await app.provision.query(text, [org.organizationId])).length === Object.keys(ofSignIn).length;
  };
  t.true(await until(recorded, 'the lines of the rejections').then(() => true));
});

test('a passkey that was not created for this challenge and service is not added', async (t) => {
  const owner = await (await newOrganization(app)).session();
  for (const [name, forgery] of Object.entries({ ...forgeries, 'a sign-in': { type: 'webauthn.get' } })) {
    const begun = await must(owner.call('auth', 'beginPasskey'));
    const body = newAuthenticator(app.baseUrl).create(begun, 'Forged', forgery);
    t.is((await owner.call('auth', 'addPasskey', { body })).status, 400, name);
  }
  t.is((await must(owner.call('auth', 'passkeys'))).total, 0);
});

test('a response is accepted once, also if it is sent several times at once', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { authenticator } = await addPasskey(app.baseUrl, owner);
  const body = authenticator.get(await must(nobody().call('auth', 'beginPasskeySignIn')));
  const send = async () => (await nobody().call('auth', 'signInWithPasskey', { body })).status;
  const statuses = await Promise.all([send(), send(), send()]);
  t.is(statuses.filter((status) => status === 200).length, 1, String(statuses));
  t.true([400, 401].includes(await send()));
  const creation = newAuthenticator(app.baseUrl).create(await must(owner.call('auth', 'beginPasskey')));
  t.is((await owner.call('auth', 'addPasskey', { body: creation })).status, 201);
  const other = newAuthenticator(app.baseUrl);
  const { options } = await must(owner.call('auth', 'beginPasskey'));
  const challenge = createHash('sha256').update(creation.token).digest('base64url');
  const again = other.create({ token: creation.token, expiresAt: '', options: { ...options, challenge } });
  const { status, error } = await owner.call('auth', 'addPasskey', { body: again });
  t.is(status, 400);
  t.deepEqual(error.message, ['token: was already used; begin again']);
});

test('a token that an attacker made, changed, or took from elsewhere is rejected', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const member = await addMember(app.baseUrl, owner);
  const { authenticator } = await addPasskey(app.baseUrl, owner);
  const begun = await must(nobody().call('auth', 'beginPasskeySignIn'));
  const ofRegistration = await must(owner.call('auth', 'beginPasskey'));
  const own = signToken(Buffer.alloc(32), ['sign-in', 'x'], new Date(Date.now() + 60_000));
  const tokens = [own, `${begun.token}x`, `x${begun.token}`, ofRegistration.token, 'x', 'a.b', 'e30.e30'];
  for (const token of tokens) {
    const challenge = createHash('sha256').update(token).digest('base64url');
    const body = authenticator.get({ ...begun, token, options: { ...begun.options, challenge } });
    const { status, error } = await nobody().call('auth', 'signInWithPasskey', { body });
    t.is(status, 400, token);
    t.regex(String(error.message), /^token: unknown/);
  }
  const created = newAuthenticator(app.baseUrl);
  for (const session of [member.session, await org.session()]) {
    const body = created.create(ofRegistration);
    t.is((await session.call('auth', 'addPasskey', { body })).status, 400, 'of another session');
  }
  t.is((await must(member.session.call('auth', 'passkeys'))).total, 0);
});

test('a challenge expires after 5 minutes', async (t) => {
  const owner = await (await newOrganization(app)).session();
  const { authenticator } = await addPasskey(app.baseUrl, owner);
  const [row] = await app.provision.query<{ key: string }>(
    'select sign_in_key as key from organizations order by id limit 1',
    [],
  );
  const attempt = async (expiresInMs: number) => {
    const token = signToken(Buffer.from(row?.key ?? ''), ['sign-in', 'x'], new Date(Date.now() + expiresInMs));
    const challenge = createHash('sha256').update(token).digest('base64url');
    const begun = await must(nobody().call('auth', 'beginPasskeySignIn'));
    const body = authenticator.get({ ...begun, token, options: { ...begun.options, challenge } });
    return (await nobody().call('auth', 'signInWithPasskey', { body })).status;
  };
  t.is(await attempt(-1), 400);
  t.is(await attempt(60_000), 200);
});

test('a passkey of another member signs nobody else in', async (t) => {
  const owner = await (await newOrganization(app)).session();
  const member = await addMember(app.baseUrl, owner);
  const ofOwner = (await addPasskey(app.baseUrl, owner)).authenticator;
  const ofMember = (await addPasskey(app.baseUrl, member.session)).authenticator;
  const begun = await must(nobody().call('auth', 'beginPasskeySignIn'));
  const mixed = ofMember.get(begun);
  const body = { ...mixed, credential: { ...mixed.credential, id: ofOwner.id } };
  t.is((await nobody().call('auth', 'signInWithPasskey', { body })).status, 401);
  const stranger = newAuthenticator(app.baseUrl);
  stranger.create(await must(owner.call('auth', 'beginPasskey')));
  t.is((await signInWith(app.baseUrl, stranger)).status, 401, 'a credential that was never added');
});

test('a counter that does not grow is rejected, and zero is fine for authenticators that do not count', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { authenticator } = await addPasskey(app.baseUrl, owner);
  t.is((await signInWith(app.baseUrl, authenticator, { counter: 9 })).status, 200);
  for (const counter of [9, 8, 0]) {
    t.is((await signInWith(app.baseUrl, authenticator, { counter })).status, 401, String(counter));
  }
  t.is((await signInWith(app.baseUrl, authenticator, { counter: 10 })).status, 200);
  const silent = newAuthenticator(app.baseUrl);
  const body = silent.create(await must(owner.call('auth', 'beginPasskey')), 'Silent', { counter: 0 });
  await must(owner.call('auth', 'addPasskey', { body }));
  t.is((await signInWith(app.baseUrl, silent, { counter: 0 })).status, 200);
  t.is((await signInWith(app.baseUrl, silent, { counter: 0 })).status, 200);
});

test('a deactivated member does not sign in, and gets the same response', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const member = await addMember(app.baseUrl, owner);
  const { authenticator } = await addPasskey(app.baseUrl, member.session);
  const params = { id: member.id };
  await owner.call('users', 'delete', { params });
  const rejected = await signInWith(app.baseUrl, authenticator);
  const unknown = await signInWith(app.baseUrl, newAuthenticator(app.baseUrl), { userHandle: 'eA' });
  t.is(rejected.status, 401);
  t.deepEqual([unknown.status, unknown.error.message], [401, rejected.error.message]);
  await must(owner.call('users', 'update', { params, body: { status: 'ACTIVE' } }));
  t.is((await signInWith(app.baseUrl, authenticator)).status, 200);
});

test('failures are throttled, and a right passkey from elsewhere still signs in', async (t) => {
  const org = await newOrganization(app);
  const { authenticator } = await addPasskey(app.baseUrl, await org.session());
  const from = (address: string, forgery: Forgery) => async () => {
    const headers = { 'x-forwarded-for': address };
    const begun = await must(nobody().call('auth', 'beginPasskeySignIn'));
    const body = authenticator.get(begun, forgery);
    return (await nobody().raw('POST', '/auth/passkeys/sign-in', { body, headers })).status;
  };
  const wrong = from('10.99.0.1', { isVerified: false });
  for (let count = 0; count < 10; count += 1) t.is(await wrong(), 401);
  t.is(await wrong(), 429);
  t.is(await from('10.99.0.1', {})(), 429);
  t.is(await from('10.99.0.2', {})(), 200);
});

test('a passkey is added only within 15 minutes of signing in', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const begunMinutesAgo = (minutes: number) =>
    app.provision.query(
      `update sessions set created_at = now() - make_interval(mins => $2) where organization_id = $1 returning id`,
      [org.organizationId, minutes],
    );
  await begunMinutesAgo(16);
  const { status, error } = await owner.call('auth', 'beginPasskey');
  t.is(status, 403);
  t.is(error.message, 'You signed in more than 15 minutes ago; sign in again, then add the passkey.');
  await begunMinutesAgo(14);
  t.is((await owner.call('auth', 'beginPasskey')).status, 200);
});

test('a guest who has signed in adds a passkey and signs in with it', async (t) => {
  const owner = await (await newOrganization(app)).session();
  const guest = await addMember(app.baseUrl, owner, { role: 'GUEST' });
  const { authenticator } = await addPasskey(app.baseUrl, guest.session);
  const { status, body } = await signInWith(app.baseUrl, authenticator);
  t.deepEqual([status, body.user.id], [200, guest.id]);
});
