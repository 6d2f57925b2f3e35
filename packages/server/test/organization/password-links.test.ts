import { apiWith, signIn, type Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { hashLinkToken } from '../../src/access/links/link-token.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { changeLink, inviteMember, newLinkFor, newStranger } from '../support/password-links.ts';

const app = useSharedApp(test);
const unusable = ['token: unknown, or its link was used, replaced or revoked, or has expired; ask for a new link'];
const passwordOf = ({ id }: { id: string }, by: Api) => by.call('users', 'password', { params: { id } });

test('an invited member cannot sign in before they have set a password with the link, which signs them in', async (t) => {
  const org = await newOrganization(app);
  const { id, email, link, token, owner } = await inviteMember(org);
  t.regex(link.url, new RegExp(`^${app.baseUrl}/sign-in/password/pwlink_[0-9A-Za-z]{43}$`));
  t.like(link, { purpose: 'INVITATION', mailed: false, mailError: null });
  const hours = (Date.parse(link.expiresAt) - Date.now()) / 3_600_000;
  t.true(hours > 71.9 && hours <= 72, `${hours} hours`);
  const { isSet, link: open } = await must(passwordOf({ id }, owner));
  t.deepEqual([isSet, open?.purpose, open?.expiresAt], [false, 'INVITATION', link.expiresAt]);
  for (const password of ['', 'null', token]) {
    await t.throwsAsync(signIn(app.baseUrl, email, password), { message: /40[01]/ });
  }

  const { status, headers, body } = await newStranger(app).redeem(token, 'pässword');
  t.is(status, 200);
  t.like(body, { user: { id, email }, organization: { id: org.organizationId } });
  const cookies = headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  t.deepEqual(
    cookies.map((each) => each.split('=')[0]),
    ['flow_session', 'flow_csrf'],
  );
  t.is((await apiWith(app.baseUrl, { cookie: cookies.join('; ') }).call('auth', 'session')).body.user.id, id);
  await signIn(app.baseUrl, email, 'pa\u0308ssword');
  t.deepEqual(await must(passwordOf({ id }, owner)), { isSet: true, link: null });
});

test('a reset ends all sessions of the member and the one of the browser, and starts a new one', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const member = await addMember(app.baseUrl, owner);
  const elsewhere = await signIn(app.baseUrl, member.email, member.password);
  const { link, token } = await newLinkFor(org, member.id);
  t.is(link.purpose, 'RESET');
  t.is((await must(passwordOf(member, owner))).isSet, true);
  await signIn(app.baseUrl, member.email, member.password);

  // The browser has the session of someone else, and tokens that this service has not given to it.
  const before = await apiWith(app.baseUrl, {}).raw('POST', '/auth/login', {
    body: { email: org.ownerEmail, password: org.ownerPassword },
  });
  const cookie = before.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  const { headers } = await newStranger(app).redeem(token, 'a new password', { cookie: cookie.join('; ') });
  const after = headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  t.is(after.length, 2);
  t.is(after.filter((each) => cookie.includes(each)).length, 0);
  t.is((await apiWith(app.baseUrl, { cookie: cookie.join('; ') }).call('auth', 'session')).status, 401);
  for (const session of [member.session, elsewhere]) t.is((await session.call('auth', 'session')).status, 401);
  t.is((await apiWith(app.baseUrl, { cookie: after.join('; ') }).call('auth', 'session')).body.user.id, member.id);
  await t.throwsAsync(signIn(app.baseUrl, member.email, member.password), { message: /401/ });
  t.is((await owner.call('auth', 'session')).status, 200, 'other sessions of the owner stay');
});

test('of twenty requests at once with one link, exactly one sets its password', async (t) => {
  const { email, token } = await inviteMember(await newOrganization(app));
  const attempts = Array.from({ length: 20 }, async (_, index) => {
    const password = `password ${index}`;
    return { password, ...(await newStranger(app).redeem(token, password)) };
  });
  const results = await Promise.all(attempts);
  const [winner, ...others] = results.filter(({ status }) => status === 200);
  t.deepEqual(others, []);
  for (const { status, error } of results.filter((each) => each !== winner)) {
    t.deepEqual([status, error.message], [400, unusable]);
  }
  await signIn(app.baseUrl, email, winner?.password ?? '');
});

test('a link that was used, replaced, revoked or has expired is like an unknown one', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const member = () => addMember(app.baseUrl, owner);
  const used = await newLinkFor(org, (await member()).id);
  t.is((await newStranger(app).redeem(used.token)).status, 200);
  const { id } = await member();
  const replaced = await newLinkFor(org, id);
  const revoked = await newLinkFor(org, id);
  for (let time = 0; time < 2; time += 1) {
    t.is((await owner.call('users', 'revokePasswordLink', { params: { id } })).status, 204);
  }
  const late = await member();
  const expired = await newLinkFor(org, late.id);
  await changeLink(app, late.id, { expiresAt: new Date() });
  const byPassword = await member();
  const overwritten = await newLinkFor(org, byPassword.id);
  await must(owner.call('users', 'update', { params: { id: byPassword.id }, body: { password: 'from the owner' } }));
  const own = await member();
  const ownChange = await newLinkFor(org, own.id);
  const change = { currentPassword: own.password, newPassword: 'chosen by myself' };
  t.is((await own.session.call('auth', 'changePassword', { body: change })).status, 204);

  const unknown = await newStranger(app).redeem(`pwlink_${'x'.repeat(43)}`);
  t.deepEqual([unknown.status, unknown.error.message], [400, unusable]);
  const constant = ({ status, headers, error }: typeof unknown) => {
    const varying = new Set(['date', 'x-request-id', 'x-ratelimit-reset']);
    const { timestamp: _, requestId: __, ...body } = error as unknown as Record<string, unknown>;
    return { status, body, headers: [...headers].filter(([name]) => !varying.has(name)) };
  };
  for (const [what, { token }] of Object.entries({ used, replaced, revoked, expired, overwritten, ownChange })) {
    t.deepEqual(constant(await newStranger(app).redeem(token)), constant(unknown), what);
  }
  for (const odd of ['', 'é'.repeat(255)]) {
    t.deepEqual((await newStranger(app).redeem(odd)).error.message, unusable);
  }
});

test('a deactivation revokes a link for good, and a deactivated member gets none', async (t) => {
  const org = await newOrganization(app);
  const { id, token, owner } = await inviteMember(org);
  await must(owner.call('users', 'delete', { params: { id } }));
  t.deepEqual((await newStranger(app).redeem(token)).error.message, unusable);
  const create = () => owner.call('users', 'createPasswordLink', { params: { id } });
  await isRejected(t, create(), 400, 'The member is deactivated and cannot sign in; reactivate them first.');
  await must(owner.call('users', 'update', { params: { id }, body: { status: 'ACTIVE' } }));
  t.deepEqual((await newStranger(app).redeem(token)).error.message, unusable);
  t.is((await create()).status, 201);
});

test('a rejected password leaves the link usable', async (t) => {
  const { token } = await inviteMember(await newOrganization(app));
  const stranger = newStranger(app);
  await isRejected(t, stranger.redeem(token, 'short'), 400, ['password: must be at least 8 characters']);
  t.is((await stranger.redeem(token)).status, 200);
});

test('after 30 unknown tokens in a minute a network gets 429, also with a valid token, and others do not', async (t) => {
  const { token } = await inviteMember(await newOrganization(app));
  const guesser = newStranger(app);
  const guesses = Array.from({ length: 30 }, (_, index) => guesser.redeem(`pwlink_${index}`));
  for (const { status, error } of await Promise.all(guesses)) {
    t.deepEqual([status, error.message], [400, unusable]);
  }
  const [unknown, valid] = [await guesser.redeem('pwlink_x'), await guesser.redeem(token)];
  t.deepEqual([unknown.status, valid.status], [429, 429]);
  t.regex(String(valid.error.message), /^Too many unknown password-link tokens; check the token and retry in \d+ s\.$/);
  t.is((await newStranger(app).redeem(token)).status, 200);
});

test('administrators make and revoke links, only owners those of owners, and members and keys none', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const member = await addMember(app.baseUrl, owner);
  const statuses = async (by: Api, id: string) => [
    (await by.call('users', 'createPasswordLink', { params: { id } })).status,
    (await by.call('users', 'password', { params: { id } })).status,
    (await by.call('users', 'revokePasswordLink', { params: { id } })).status,
  ];
  t.deepEqual(await statuses(admin.session, member.id), [201, 200, 204]);
  t.deepEqual(await statuses(admin.session, org.ownerUserId), [403, 200, 403]);
  t.deepEqual(await statuses(owner, org.ownerUserId), [201, 200, 204]);
  t.deepEqual(await statuses(member.session, member.id), [403, 403, 403]);
  t.deepEqual(await statuses(org.api, member.id), [401, 401, 401]);
  t.deepEqual(await statuses(await other.session(), member.id), [404, 404, 404]);
});

test('the database has nothing of a token but its SHA-256', async (t) => {
  const org = await newOrganization(app);
  const { id, token } = await inviteMember(org);
  const rows = await app.provision.query<{ user_id: string; hash: string }>(
    `select encode(token_hash, 'hex') as hash, link.* from password_links link`,
    [],
  );
  t.is(rows.find(({ user_id }) => user_id === id)?.hash, hashLinkToken(token).toString('hex'));
  t.false(JSON.stringify(rows).includes(token));
});
