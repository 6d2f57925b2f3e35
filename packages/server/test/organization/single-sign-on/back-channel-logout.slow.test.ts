import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import test from 'ava';
import { useScriptedProviders } from '../../support/scripted-sign-in.ts';

const { app, provider, newBrowser, begin, person, comeBack } = useScriptedProviders(test);
const event = 'http://schemas.openid.net/event/backchannel-logout';
const seconds = () => Math.floor(Date.now() / 1000);

/** A member with a session that the provider calls `sid`. */
async function signedIn(email: string, claims = person(email)) {
  const sid = randomUUID();
  const browser = newBrowser();
  const { status } = await comeBack(browser, 'one', await begin(browser, 'one', { ...claims, sid }));
  if (status !== 303) throw new Error(`The sign-in failed with ${status}.`);
  return { sid, claims, isSignedIn: async () => (await browser.client.get('/auth/session')).status === 200 };
}

const tokenFor = (claims: Record<string, unknown>, options = {}) =>
  provider('one').sign(
    {
      iss: provider('one').issuer,
      aud: 'runward',
      iat: seconds(),
      exp: seconds() + 120,
      jti: randomUUID(),
      events: { [event]: {} },
      ...claims,
    },
    { type: 'logout+jwt', ...options },
  );

const send = (token: string, slug = 'one') =>
  newBrowser().client.submit(`/auth/oidc/${slug}/back-channel-logout`, { logout_token: token });

test('a logout token with a sid ends the sessions of that sid, once', async (t) => {
  const org = await newOrganization(app);
  const first = await signedIn(org.ownerEmail);
  const second = await signedIn(org.ownerEmail, first.claims);
  const token = await tokenFor({ sid: first.sid, sub: first.claims.sub });
  t.is((await send(token)).status, 200);
  t.deepEqual([await first.isSignedIn(), await second.isSignedIn()], [false, true]);
  const repeated = await send(token);
  t.is(repeated.status, 400);
  t.regex(repeated.html, /was already used/);
});

test('a logout token with a sub alone ends all sessions that the person began with the provider, and no others', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const first = await signedIn(org.ownerEmail);
  const second = await signedIn(org.ownerEmail, first.claims);
  const foreign = await signedIn(other.ownerEmail);
  const byPassword = await org.session();
  t.is((await send(await tokenFor({ sub: first.claims.sub }))).status, 200);
  t.deepEqual([await first.isSignedIn(), await second.isSignedIn(), await foreign.isSignedIn()], [false, false, true]);
  t.is((await byPassword.call('auth', 'session')).status, 200);
});

test('a logout token for a session that does not exist changes nothing', async (t) => {
  t.is((await send(await tokenFor({ sid: randomUUID() }))).status, 200);
  t.is((await send(await tokenFor({ sub: randomUUID() }))).status, 200);
});

test('a logout token that is forged, for another service or out of date is rejected', async (t) => {
  const org = await newOrganization(app);
  const session = await signedIn(org.ownerEmail);
  const { sid } = session;
  const own = { sid, sub: session.claims.sub };
  const unsigned = [{ alg: 'none' }, { ...own, iss: provider('one').issuer, aud: 'runward', iat: seconds(), jti: '1' }];
  const rejected: Record<string, string> = {
    'another key': await tokenFor(own, { foreignKey: true }),
    'no signature': `${unsigned.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`,
    'another issuer': await tokenFor({ ...own, iss: provider('two').issuer }),
    'another audience': await tokenFor({ ...own, aud: 'another' }),
    'a nonce': await tokenFor({ ...own, nonce: 'x' }),
    'no event': await tokenFor({ ...own, events: undefined }),
    'another event': await tokenFor({ ...own, events: { 'http://example.com/event': {} } }),
    'no id': await tokenFor({ ...own, jti: undefined }),
    'no time': await tokenFor({ ...own, iat: undefined }),
    'an expired token': await tokenFor({ ...own, iat: seconds() - 300, exp: seconds() - 100 }),
    'an old token': await tokenFor({ ...own, iat: seconds() - 3_600, exp: seconds() + 3_600 }),
    'a token of the future': await tokenFor({ ...own, iat: seconds() + 3_600, exp: seconds() + 7_200 }),
    'no session': await tokenFor({}),
    'an ID token': await tokenFor({ ...own, events: undefined, nonce: 'x' }, { type: 'JWT' }),
    'another type': await tokenFor(own, { type: 'at+jwt' }),
    nonsense: 'nonsense',
  };
  for (const [name, token] of Object.entries(rejected)) {
    const { status, html } = await send(token);
    t.is(status, 400, name);
    t.regex(html, /logout_token: not a valid logout token/, name);
  }
  t.is((await send(await tokenFor(own), 'two')).status, 400, 'the token of another provider');
  const client = newBrowser().client;
  t.is((await client.submit('/auth/oidc/one/back-channel-logout', {})).status, 400, 'no token');
  t.true(await session.isSignedIn());
});
