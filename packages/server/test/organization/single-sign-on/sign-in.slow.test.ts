import { randomUUID } from 'node:crypto';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { useSingleSignOn } from '../../support/single-sign-on.ts';

const { app, sso, newBrowser, account, signIn } = useSingleSignOn(test);
// The provider signs in whoever was named last.
const serial = test.serial;

const memberOf = async (email: string) =>
  app.provision.query<{ id: string; organization_id: string; role: string; name: string }>(
    'select id, organization_id, role, name from users where email = $1',
    [email],
  );
const who = async (client: { get: (path: string) => Promise<{ html: string; status: number }> }) => {
  const { status, html } = await client.get('/auth/session');
  return status === 200 ? (JSON.parse(html) as { user: { email: string } }).user.email : status;
};

serial('a member signs in with a provider and arrives where they wanted to go, linked at the first time', async (t) => {
  const org = await newOrganization(app);
  const subject = await account({ email: org.ownerEmail.toUpperCase(), email_verified: true, name: 'Ada' });
  const page = await newBrowser().client.get('/sign-in?next=/console/runs');
  t.regex(page.html, /href="\/sign-in\/any\?next=%2Fconsole%2Fruns"[^>]*>\s*Sign in with Provider any/);
  const { browser, status, url, way } = await signIn('any', subject, { next: '/console/runs' });
  t.deepEqual([status, url], [200, `${app.baseUrl}/console/runs`]);
  const asked = new URL(way[1] ?? '').searchParams;
  t.is(asked.get('code_challenge_method'), 'S256');
  t.is(asked.get('redirect_uri'), `${app.baseUrl}/sign-in/any/callback`);
  t.is(await who(browser.client), org.ownerEmail);
  t.false(browser.client.cookies.has('flow_sign_in'), 'the attempt is over');

  await sso.provider.account(subject, { email: `${randomUUID()}@example.com`, email_verified: false });
  const again = await signIn('any', subject);
  t.is(await who(again.browser.client), org.ownerEmail, 'the subject counts, not the address');
  t.not(again.browser.client.cookies.get('flow_session'), browser.client.cookies.get('flow_session'));
});

serial('a new session replaces the one that the browser had', async (t) => {
  const org = await newOrganization(app);
  const subject = await account({ email: org.ownerEmail, email_verified: true });
  const browser = newBrowser();
  await browser.client.signIn(org.ownerEmail, org.ownerPassword);
  const planted = browser.client.cookies.get('flow_session') ?? '';
  await signIn('any', subject, { browser });
  t.not(browser.client.cookies.get('flow_session'), planted);
  t.is(await who(browser.client), org.ownerEmail);
  browser.client.cookies.set('flow_session', planted);
  t.is(await who(browser.client), 401);
});

serial('an address that the provider does not call verified is not linked, and the page says what to do', async (t) => {
  const org = await newOrganization(app);
  for (const claims of [{ email_verified: false }, {}, { email_verified: 'false' }]) {
    const subject = await account({ email: org.ownerEmail, ...claims });
    const { browser, status, html } = await signIn('any', subject);
    t.is(status, 403);
    t.regex(html, /does not say that your email address is verified/);
    t.regex(html, /Request [0-9a-f-]{36}/);
    t.is(await who(browser.client), 401);
  }
  const untrusted = await account({ email: org.ownerEmail, email_verified: false });
  t.is((await signIn('trusting', untrusted)).status, 403, 'an address that is not verified is never trusted');
  const trusted = await account({ email: org.ownerEmail });
  t.is(await who((await signIn('trusting', trusted)).browser.client), org.ownerEmail);
});

serial(
  'a second account of a provider is not linked to a member until an administrator unlinks the first',
  async (t) => {
    const org = await newOrganization(app);
    const claims = { email: org.ownerEmail, email_verified: true };
    await signIn('any', await account(claims));
    const second = await account(claims);
    const rejected = await signIn('any', second);
    t.is(rejected.status, 403);
    t.regex(rejected.html, /signs in with another account of Provider any; ask an administrator/);
    const owner = await org.session();
    const params = { id: org.ownerUserId };
    t.is((await must(owner.call('users', 'identities', { params }))).data.length, 1);
    t.is((await owner.call('users', 'unlink', { params })).status, 204);
    t.deepEqual((await must(owner.call('users', 'identities', { params }))).data, []);
    t.is(await who((await signIn('any', second)).browser.client), org.ownerEmail);
  },
);

serial('a deactivated member does not sign in, whether linked or not, and has no session any more', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [linked, fresh] = [await addMember(app.baseUrl, owner), await addMember(app.baseUrl, owner)];
  const subjects = [];
  for (const { email } of [linked, fresh]) subjects.push(await account({ email, email_verified: true }));
  const { browser } = await signIn('any', subjects[0] ?? '');
  t.is(await who(browser.client), linked.email);
  for (const { id } of [linked, fresh]) await owner.call('users', 'delete', { params: { id } });
  t.is(await who(browser.client), 401);
  for (const subject of subjects) {
    const rejected = await signIn('any', subject);
    t.is(rejected.status, 403);
    t.regex(rejected.html, /Your account is deactivated/);
    t.is(await who(rejected.browser.client), 401);
  }
});

serial('a person without a member is added only to the organization of the provider, with its role', async (t) => {
  const email = `${randomUUID()}@example.com`;
  const subject = await account({ email, email_verified: true, name: 'Grace Hopper' });
  const unknown = await signIn('any', subject);
  t.is(unknown.status, 403);
  t.regex(unknown.html, /There is no member with your email address/);
  t.deepEqual(await memberOf(email), []);

  t.is(await who((await signIn('acme', subject)).browser.client), email);
  const [member] = await memberOf(email);
  t.like(member, { organization_id: sso.org.organizationId, role: 'MEMBER', name: 'Grace Hopper' });

  const other = await newOrganization(app);
  const foreign = await account({ email: other.ownerEmail, email_verified: true });
  const rejected = await signIn('acme', foreign);
  t.is(rejected.status, 403);
  t.regex(rejected.html, /belongs to another organization/);
  t.is(await who(rejected.browser.client), 401);
});

serial('memberships of groups follow the claim at each sign-in, and those that were given by hand stay', async (t) => {
  const email = `${randomUUID()}@example.com`;
  const owner = await sso.org.session();
  const groups = new Map<string, string>();
  for (const name of ['Finance', 'Legal', 'Choir']) {
    groups.set(name, (await must(owner.call('groups', 'create', { body: { name } }))).id);
  }
  const subject = await account({ email, email_verified: true, groups: ['Finance', 'Unknown', 7] });
  const namesNow = async (id: string) => {
    const { data } = await must(owner.call('groups', 'list'));
    return data.filter(({ memberIds }) => memberIds.includes(id)).map(({ name }) => name);
  };
  await signIn('acme', subject);
  const [member] = await memberOf(email);
  const id = member?.id ?? '';
  t.deepEqual(await namesNow(id), ['Finance']);
  await owner.call('groups', 'update', { params: { id: groups.get('Choir') ?? '' }, body: { memberIds: [id] } });
  await sso.provider.account(subject, { email, email_verified: true, groups: ['Legal'] });
  await signIn('acme', subject);
  t.deepEqual(await namesNow(id), ['Choir', 'Legal']);
  await sso.provider.account(subject, { email, email_verified: true });
  await signIn('acme', subject);
  t.deepEqual(await namesNow(id), ['Choir'], 'without the claim the member is in no group of the provider');
});

serial('a key that the provider has just replaced does not stop anyone', async (t) => {
  const org = await newOrganization(app);
  const subject = await account({ email: org.ownerEmail, email_verified: true });
  t.is(await who((await signIn('any', subject)).browser.client), org.ownerEmail);
  await sso.provider.rotateKeys();
  t.is(await who((await signIn('any', subject)).browser.client), org.ownerEmail);
});

serial('when a member signs out at the provider, exactly the sessions of that sign-in end', async (t) => {
  const org = await newOrganization(app);
  const subject = await account({ email: org.ownerEmail, email_verified: true });
  const byPassword = newBrowser();
  await byPassword.client.signIn(org.ownerEmail, org.ownerPassword);
  const [one, other] = [await signIn('any', subject), await signIn('any', subject)];
  const { html } = await one.browser.send(`${sso.provider.issuer}/session/end`);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  await one.browser.send(`${sso.provider.issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
  t.is(await who(one.browser.client), 401);
  t.is(await who(other.browser.client), org.ownerEmail);
  t.is(await who(byPassword.client), org.ownerEmail);
});

serial('the account page shows the providers with which a member signs in', async (t) => {
  const org = await newOrganization(app);
  const subject = await account({ email: org.ownerEmail, email_verified: true });
  const { browser } = await signIn('any', subject);
  const identities = JSON.parse((await browser.client.get('/auth/identities')).html) as { data: object[] };
  t.is(identities.data.length, 1);
  t.like(identities.data[0], { provider: 'Provider any', issuer: sso.provider.issuer, subject });
  const { html } = await browser.client.get('/console/account');
  t.regex(html, /Accounts you sign in with[^]*Provider any[^]*An administrator can unlink them/);
});
