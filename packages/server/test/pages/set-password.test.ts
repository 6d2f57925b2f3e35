import { signIn } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { foreignHeaders } from '../support/pages.ts';
import { changeLink, inviteMember, newLinkFor } from '../support/password-links.ts';

const app = useSharedApp(test);
const pathOf = ({ token }: { token: string }) => `/sign-in/password/${token}`;

test('an invited member chooses a password on the page of the link, and is in the console', async (t) => {
  const org = await newOrganization(app);
  const invited = await inviteMember(org);
  const client = newClient(app);
  for (let time = 0; time < 2; time += 1) {
    const { status, html, headers } = await client.get(pathOf(invited));
    t.is(status, 200, 'opening the link does not use it up');
    t.regex(html, /<h1>Choose a password<\/h1>[^]*Ada &lt;b&gt;[^]*8 to 128 characters/);
    t.true(html.includes(`value="${invited.email}"`));
    // With no-referrer, browsers would send the form without its origin, and the service would reject it.
    t.is(headers.get('referrer-policy'), 'strict-origin');
    t.is(headers.get('cache-control'), 'no-store');
  }
  const form = fieldsOf((await client.get(pathOf(invited))).html);
  const short = await client.submit(pathOf(invited), { ...form, password: 'short' });
  t.is(short.status, 400);
  t.regex(
    short.html,
    /<title>Error: Choose a password[^]*role="alert"[^>]*>The password must be at least 8 characters\./,
  );
  t.false(short.html.includes('value="short"'));

  const done = await client.submit(pathOf(invited), { ...form, password: 'long enough' });
  t.deepEqual([done.status, done.headers.get('location')], [303, '/console']);
  t.is((await client.get('/console/account')).status, 200);
  await signIn(app.baseUrl, invited.email, 'long enough');
  t.not(client.cookies.get('flow_csrf'), form['csrf']);

  const again = await newClient(app).get(pathOf(invited));
  t.is(again.status, 404);
  t.regex(again.html, /<h1>This link does not work<\/h1>/);
});

test('the pages of a used, an expired, a revoked and an unknown link are the same', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const pages = [await newClient(app).get('/sign-in/password/x')];
  const end = {
    expired: (id: string) => changeLink(app, id, { expiresAt: new Date() }),
    revoked: (id: string) => owner.call('users', 'revokePasswordLink', { params: { id } }),
    deactivated: (id: string) => owner.call('users', 'delete', { params: { id } }),
  };
  for (const work of Object.values(end)) {
    const { id } = await addMember(app.baseUrl, owner);
    const link = await newLinkFor(org, id);
    const client = newClient(app);
    const form = fieldsOf((await client.get(pathOf(link))).html);
    await work(id);
    pages.push(await client.get(pathOf(link)), await client.submit(pathOf(link), { ...form, password: 'long enough' }));
  }
  for (const { status, html } of pages) t.deepEqual([status, html], [404, pages[0]?.html]);
});

test('a form that this service has not given to this browser sets no password', async (t) => {
  const invited = await inviteMember(await newOrganization(app));
  const client = newClient(app);
  const form = { ...fieldsOf((await client.get(pathOf(invited))).html), password: 'long enough' };
  const send = (fields: Record<string, string>, headers = {}) => client.submit(pathOf(invited), fields, headers);
  const outOfDate = await send({ password: 'long enough' });
  t.is(outOfDate.status, 403, 'without the token');
  t.regex(outOfDate.html, /out of date[^]*name="password"/);
  t.is((await send({ ...form, csrf: 'x'.repeat(43) })).status, 403, 'with another token');
  for (const foreign of foreignHeaders) t.is((await send(form, foreign)).status, 403, JSON.stringify(foreign));
  t.is((await newClient(app).submit(pathOf(invited), form)).status, 403, 'from a browser without the cookie');
  t.false(client.cookies.has('flow_session'));
  t.is((await send(form, { origin: app.baseUrl, 'sec-fetch-site': 'same-origin' })).status, 303);
});

test('guesses on the page are throttled together with those of the API', async (t) => {
  const invited = await inviteMember(await newOrganization(app));
  const client = newClient(app);
  for (let guess = 0; guess < 30; guess += 1) t.is((await client.get(`/sign-in/password/${guess}`)).status, 404);
  const throttled = await client.get(pathOf(invited));
  t.is(throttled.status, 429);
  t.notRegex(throttled.html, /\bAda\b/);
});
