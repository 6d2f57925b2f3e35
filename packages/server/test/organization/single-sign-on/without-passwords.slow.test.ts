import { randomUUID } from 'node:crypto';
import { contract } from '@runward/contract';
import { apiWith } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf } from '@runward/testing/page-client';
import test from 'ava';
import { passwordLinkPath } from '../../../src/organization/password-links/link-token.ts';
import { useScriptedProviders } from '../../support/scripted-sign-in.ts';
import { addPasskey, signInWith } from '../../support/world/authenticator.ts';

const { app, newBrowser, begin, person, comeBack } = useScriptedProviders(test, { byPassword: false });

test('without passwords the page has no form, and the right password is rejected with what to do', async (t) => {
  const org = await newOrganization(app);
  const { client } = newBrowser();
  const page = await client.get('/sign-in');
  t.is(page.status, 200);
  t.notRegex(page.html, /type="password"|<form/);
  t.regex(page.html, /Sign in with Provider one/);
  const response = await fetch(`${app.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: org.ownerEmail, password: org.ownerPassword }),
  });
  t.is(response.status, 403);
  const { message } = (await response.json()) as { message: string };
  t.regex(message, /^Passwords are switched off; sign in with Provider one or .* on the page \/sign-in\.$/);
  const down = await client.get('/sign-in/dead');
  t.is(down.status, 503);
  t.notRegex(down.html, /password/);
});

test('without passwords nobody asks for a link to set one, or uses one', async (t) => {
  const { client } = newBrowser();
  for (const path of ['/sign-in/forgot-password', `${passwordLinkPath}/x`]) {
    const { status, html } = await client.get(path);
    t.is(status, 403, path);
    t.regex(html, /Passwords are switched off/);
  }
  const response = await fetch(`${app.baseUrl}${contract.auth.redeemPasswordLink.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: 'x', password: randomUUID() }),
  });
  t.is(response.status, 403);
});

test('without passwords a member who signed in with a provider can neither see nor change a password', async (t) => {
  const org = await newOrganization(app);
  const browser = newBrowser();
  await comeBack(browser, 'one', await begin(browser, 'one', person(org.ownerEmail)));
  const { status, html } = await browser.client.get('/console/account');
  t.is(status, 200);
  t.notRegex(html, /type="password"/);
  const fields = { currentPassword: org.ownerPassword, newPassword: randomUUID(), repeatedPassword: '' };
  const changed = await browser.client.submit('/console/account/password', {
    ...fieldsOf(html),
    ...fields,
    repeatedPassword: fields.newPassword,
  });
  t.is(changed.status, 400);
  t.regex(changed.html, /Passwords are switched off/);
});

test('without passwords a member who signed in with a provider adds a passkey and signs in with it', async (t) => {
  const org = await newOrganization(app);
  const browser = newBrowser();
  await comeBack(browser, 'one', await begin(browser, 'one', person(org.ownerEmail)));
  const { cookies } = browser.client;
  const cookie = `flow_session=${cookies.get('flow_session')}; flow_csrf=${cookies.get('flow_csrf')}`;
  const session = apiWith(app.baseUrl, { cookie, 'x-service-csrf': cookies.get('flow_csrf') ?? '' });
  const { authenticator } = await addPasskey(app.baseUrl, session);
  const { status, body } = await signInWith(app.baseUrl, authenticator);
  t.deepEqual([status, body.user.id], [200, org.ownerUserId]);
});

test('a form that was sent after the session ended is kept while the member signs in with a provider', async (t) => {
  const org = await newOrganization(app);
  const browser = newBrowser();
  const claims = person(org.ownerEmail);
  await comeBack(browser, 'one', await begin(browser, 'one', claims));
  browser.client.cookies.delete('flow_session');
  const lost = await browser.client.submit('/console/groups/new', { name: 'Typed with care', csrf: 'x' });
  t.is(lost.status, 401);
  t.regex(lost.html, /target="_blank"[^]*Sign in with Provider one in a new tab/);
  const fields = fieldsOf(lost.html);
  t.true(Object.values(fields).includes('Typed with care'));
  const early = await browser.client.submit('/sign-in/resume', { ...fields, isSignedIn: 'true' });
  t.true(Object.values(fieldsOf(early.html)).includes('Typed with care'), 'too early, nothing is lost');
  await comeBack(browser, 'one', await begin(browser, 'one', claims));
  const resumed = await browser.client.submit('/sign-in/resume', { ...fields, isSignedIn: 'true' });
  t.is(resumed.status, 200);
  t.is(fieldsOf(resumed.html)['name'], 'Typed with care');
  t.not(fieldsOf(resumed.html)['csrf'], fields['csrf']);
});
