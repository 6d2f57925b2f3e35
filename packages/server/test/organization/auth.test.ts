import { contract } from '@runward/contract';
import { apiWith, signIn } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { newAddress } from '@runward/testing/page-client';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { foreignHeaders } from '../support/pages.ts';

const app = useSharedApp(test);

function logIn(email: string, password: string, headers: Record<string, string> = {}) {
  return fetch(`${app.baseUrl}${contract.auth.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress(), ...headers },
    body: JSON.stringify({ email, password }),
  });
}

const cookieOf = (response: Response, name: string) =>
  response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`)) ?? '';

/** The cookies of a response, as a browser sends them back. */
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');

test('signing in creates a session without scope limits, and signing out ends it', async (t) => {
  const org = await newOrganization(app);
  const response = await logIn(org.ownerEmail.toUpperCase(), org.ownerPassword);
  t.is(response.status, 200);
  t.like(await response.json(), { user: { email: org.ownerEmail, role: 'OWNER' }, organization: { name: 'Test' } });
  t.regex(
    cookieOf(response, 'flow_session'),
    /^flow_session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/,
  );
  t.regex(cookieOf(response, 'flow_csrf'), /^flow_csrf=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax$/);

  const browser = await org.session();
  t.is((await browser.call('auth', 'session')).body.user.email, org.ownerEmail);
  const { templateId } = await publishProcess(browser);
  const { status } = await browser.call('runs', 'launch', { body: { templateId } });
  t.is(status, 201);
  const { data } = await must(
    browser.call('runs', 'activity', { params: { id: (await must(browser.call('runs', 'list'))).data[0]?.id ?? '' } }),
  );
  t.deepEqual(data[0]?.actor, { type: 'USER', userId: org.ownerUserId, apiKeyId: null });

  t.is((await browser.call('auth', 'logout')).status, 204);
  t.is((await browser.call('auth', 'session')).status, 401);
});

test('a write of a session requires the CSRF header, a read does not', async (t) => {
  const org = await newOrganization(app);
  const response = await logIn(org.ownerEmail, org.ownerPassword);
  const cookie = cookiesOf(response);
  const csrf = /flow_csrf=([\w-]+)/.exec(cookie)?.[1] ?? '';
  const send = (headers: Record<string, string>) =>
    apiWith(app.baseUrl, { cookie, ...headers }).call('templates', 'create', { body: { name: 'x' } });

  for (const method of ['GET', 'HEAD'])
    t.is((await fetch(`${app.baseUrl}/runs`, { method, headers: { cookie } })).status, 200, method);
  for (const headers of [{}, { 'x-service-csrf': '' }, { 'x-service-csrf': `${csrf}x` }, { 'x-service-csrf': 'é' }]) {
    const answer = await send(headers);
    t.is(answer.status, 403);
    t.regex(String(answer.error.message), /x-service-csrf/);
  }
  for (const foreign of foreignHeaders) t.is((await send({ 'x-service-csrf': csrf, ...foreign })).status, 403);
  const own = { 'sec-fetch-site': 'same-origin', origin: app.baseUrl };
  t.is((await send({ 'x-service-csrf': csrf, ...own })).status, 201);
});

test('with an Authorization header, cookies are ignored', async (t) => {
  const org = await newOrganization(app);
  const response = await logIn(org.ownerEmail, org.ownerPassword);
  const cookie = cookiesOf(response);
  const mixed = apiWith(app.baseUrl, { cookie, authorization: 'Bearer nonsense' });
  t.is((await mixed.raw('GET', '/runs')).status, 401);
  const key = apiWith(app.baseUrl, { cookie, authorization: `Bearer ${org.apiKey}` });
  t.is((await key.call('auth', 'session')).status, 401);
});

test('a wrong password, an unknown and a deactivated member get the same response', async (t) => {
  const org = await newOrganization(app);
  const gone = await newOrganization(app);
  await app.provision.query(`update users set status = 'DEACTIVATED' where id = $1`, [gone.ownerUserId]);
  const answers = [
    await logIn(org.ownerEmail, 'wrong'),
    await logIn('nobody@example.com', 'wrong'),
    await logIn(gone.ownerEmail, gone.ownerPassword),
  ];
  const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as Record<string, unknown>));
  for (const [index, answer] of answers.entries()) {
    t.is(answer.status, 401);
    t.is(bodies[index]?.['message'], 'The email address or password is incorrect.');
    t.deepEqual(answer.headers.getSetCookie(), []);
  }
});

test('of 30 concurrent wrong passwords for one account from one address, 10 are verified; the right one works elsewhere', async (t) => {
  const org = await newOrganization(app);
  const attacker = { 'x-forwarded-for': '10.9.9.8' };
  const burst = await Promise.all(Array.from({ length: 30 }, () => logIn(org.ownerEmail, 'wrong', attacker)));
  t.is(burst.filter(({ status }) => status === 401).length, 10);
  t.is(burst.filter(({ status }) => status === 429).length, 20);
  const rejected = await logIn(org.ownerEmail, org.ownerPassword, attacker);
  t.is(rejected.status, 429);
  t.true(Number(rejected.headers.get('retry-after')) >= 1);
  t.is((await logIn(org.ownerEmail, org.ownerPassword)).status, 200);
});

test('wrong passwords from many addresses do not prevent a sign-in with the right one', async (t) => {
  const org = await newOrganization(app);
  for (let failure = 0; failure < 12; failure += 1) t.is((await logIn(org.ownerEmail, 'wrong')).status, 401);
  t.is((await logIn(org.ownerEmail, org.ownerPassword)).status, 200);
});

test('failed sign-ins are limited per address', async (t) => {
  const other = await newOrganization(app);
  const from = { 'x-forwarded-for': '10.9.9.9' };
  for (let failure = 0; failure < 100; failure += 1) await logIn(`nobody-${failure}@example.com`, 'wrong', from);
  t.is((await logIn(other.ownerEmail, other.ownerPassword, from)).status, 429);
  t.is((await logIn(other.ownerEmail, other.ownerPassword)).status, 200);
});

test('a new sign-in ends the previous session of the browser', async (t) => {
  const org = await newOrganization(app);
  const first = await logIn(org.ownerEmail, org.ownerPassword);
  const cookie = cookiesOf(first);
  const second = await logIn(org.ownerEmail, org.ownerPassword, { cookie });
  t.is(second.status, 200);
  t.is((await apiWith(app.baseUrl, { cookie }).call('auth', 'session')).status, 401);
});

test('sessions expire after 8 hours without use and after 7 days in any case', async (t) => {
  const org = await newOrganization(app);
  const age = (column: 'last_seen_at' | 'expires_at', to: Date) =>
    app.provision.query(`update sessions set ${column} = $2 where user_id = $1`, [org.ownerUserId, to]);
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);

  const idle = await org.session();
  await age('last_seen_at', hours(-7.9));
  t.is((await idle.call('auth', 'session')).status, 200);
  await age('last_seen_at', hours(-8.1));
  t.is((await idle.call('auth', 'session')).status, 401);

  const old = await org.session();
  await age('expires_at', hours(-0.01));
  t.is((await old.call('auth', 'session')).status, 401);
});

test('a new password ends every other session', async (t) => {
  const org = await newOrganization(app);
  const here = await org.session();
  const elsewhere = await org.session();
  const change = (currentPassword: string, newPassword: string) =>
    here.call('auth', 'changePassword', { body: { currentPassword, newPassword } });

  t.is((await change('wrong', 'long enough')).status, 400);
  t.is((await change(org.ownerPassword, 'short')).status, 400);
  t.is((await change(org.ownerPassword, 'a new password')).status, 204);
  t.is((await here.call('auth', 'session')).status, 200);
  t.is((await elsewhere.call('auth', 'session')).status, 401);
  await t.throwsAsync(signIn(app.baseUrl, org.ownerEmail, org.ownerPassword), { message: /401/ });
  t.is((await (await signIn(app.baseUrl, org.ownerEmail, 'a new password')).call('auth', 'session')).status, 200);
});

test('a member lists the own sessions that can be used, newest first, in pages, and without their tokens', async (t) => {
  const org = await newOrganization(app);
  for (const column of ['expires_at', 'last_seen_at']) {
    await org.session();
    const age = `update sessions set ${column} = now() - interval '8 hours 1 minute' where user_id = $1`;
    await app.provision.query(age, [org.ownerUserId]);
  }
  const [first, second] = [await org.session(), await org.session()];
  const { data, total } = await must(first.call('auth', 'sessions'));
  t.deepEqual([data.map(({ isCurrent }) => isCurrent), total], [[false, true], 2]);
  t.deepEqual(Object.keys(data[0] ?? {}).toSorted(), ['createdAt', 'expiresAt', 'id', 'isCurrent', 'lastUsedAt']);
  t.is(Date.parse(data[0]?.expiresAt ?? '') - Date.parse(data[0]?.createdAt ?? ''), 7 * 24 * 3_600_000);

  const newest = await must(second.call('auth', 'sessions', { query: { limit: 1 } }));
  t.deepEqual([newest.data[0]?.id, newest.data[0]?.isCurrent, newest.hasMore], [data[0]?.id, true, true]);
  const rest = await must(second.call('auth', 'sessions', { query: { cursor: newest.nextCursor ?? '' } }));
  t.deepEqual([rest.data.map(({ id }) => id), rest.hasMore], [[data[1]?.id], false]);
});

test('an ended session gets 401 at once, and the browser forgets the current one when it ends', async (t) => {
  const org = await newOrganization(app);
  const [here, elsewhere] = [await org.session(), await org.session()];
  const idOf = async (api: typeof here) =>
    (await must(api.call('auth', 'sessions'))).data.find(({ isCurrent }) => isCurrent)?.id ?? '';
  const end = (id: string) => here.call('auth', 'endSession', { params: { id } });
  const [own, other] = [await idOf(here), await idOf(elsewhere)];

  const ended = await end(other);
  t.deepEqual([ended.status, ended.headers.getSetCookie()], [204, []]);
  t.is((await elsewhere.call('auth', 'session')).status, 401);
  t.is((await end(other)).status, 404);
  const signedOut = await end(own);
  t.deepEqual([signedOut.status, signedOut.headers.getSetCookie().length], [204, 2]);
  t.is((await here.call('auth', 'session')).status, 401);
});

test('sessions of other members and organizations are neither listed nor ended, and no key sees any', async (t) => {
  const [org, stranger] = [await newOrganization(app), await newOrganization(app)];
  const owner = await org.session();
  const [email, password] = [`colleague-${org.organizationId}@example.com`, 'long enough'];
  await must(owner.call('users', 'create', { body: { email, name: 'Colleague', role: 'ADMIN', password } }));
  const others = [await signIn(app.baseUrl, email, password), await stranger.session()];
  t.is((await must(owner.call('auth', 'sessions'))).total, 1);
  for (const other of others) {
    const { data, total } = await must(other.call('auth', 'sessions'));
    t.is(total, 1);
    t.is((await owner.call('auth', 'endSession', { params: { id: data[0]?.id ?? '' } })).status, 404);
    t.is((await other.call('auth', 'session')).status, 200);
  }
  t.is((await org.api.call('auth', 'sessions')).status, 401);
});
