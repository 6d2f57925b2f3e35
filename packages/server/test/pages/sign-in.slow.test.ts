import { accessibilityProblems, hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { foreignHeaders } from '../support/pages.ts';
import { publishedPortal } from '../support/portals.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

withChromium('a member signs in for a restricted portal and out again, without JavaScript', async (t) => {
  const org = await newOrganization(app);
  const { portal } = await publishedPortal(org.api, [], { name: 'Internal', audience: 'RESTRICTED' });
  const work: Parameters<typeof visit>[1] = async (page) => {
    await page.goto(`${app.baseUrl}/p/${portal.slug}`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email address').fill(org.ownerEmail);
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    t.is(await page.title(), 'Error: Sign in');
    t.is(await page.getByLabel('Email address').inputValue(), org.ownerEmail);
    t.is(await page.getByLabel('Password').inputValue(), '');
    await page.getByLabel('Password').fill(org.ownerPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'page', level: 1 }).waitFor();
    t.is(new URL(page.url()).pathname, `/p/${portal.slug}`);
    await page.getByRole('link', { name: 'Portals' }).click();
    await page.waitForLoadState();
    t.deepEqual(await page.getByRole('listitem').allInnerTexts(), ['Internal']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goBack();
    await page.goto(`${app.baseUrl}/p`);
    t.is(new URL(page.url()).pathname, '/sign-in');
  };
  await visit(t, work, { javaScriptEnabled: false });
  await visit(t, async (page) => {
    for (const path of ['/sign-in', '/p/missing']) {
      await page.goto(`${app.baseUrl}${path}`);
      t.deepEqual(await accessibilityProblems(page), [], path);
    }
  });
});

test('the cookies of the page are those of the API', async (t) => {
  const org = await newOrganization(app);
  const client = newClient(app);
  const { status, headers } = await client.signIn(org.ownerEmail, org.ownerPassword);
  t.deepEqual([status, headers.get('location')], [303, '/console']);
  const [session, csrf] = headers.getSetCookie();
  t.regex(session ?? '', /^flow_session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/);
  t.regex(csrf ?? '', /^flow_csrf=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax$/);
  t.is((await client.get('/auth/session')).status, 200);
});

test('signing in leads to a page of this service only', async (t) => {
  const org = await newOrganization(app);
  const { portal } = await publishedPortal(org.api, []);
  const leadsTo = async (next: string) =>
    (await newClient(app).signIn(org.ownerEmail, org.ownerPassword, next)).headers.get('location');
  t.is(await leadsTo(`/p/${portal.slug}`), `/p/${portal.slug}`);
  const elsewhere = [
    'https://evil.example/p/x',
    '//evil.example/p',
    '/\\evil.example',
    '/p/..//evil.example',
    '/p//evil.example',
    '/p/x\r\nset-cookie:a=b',
    'javascript:alert(1)',
    '/auth/logout',
    '/p/x?y=//evil.example',
    '"><script>',
  ];
  for (const next of elsewhere) t.is(await leadsTo(next), '/console', next);
});

test('a wrong password, an unknown address and no password are shown on the form, which keeps the address only', async (t) => {
  const org = await newOrganization(app);
  const client = newClient(app);
  const tries = [
    [org.ownerEmail, 'wrong', 401, /is incorrect/],
    ['nobody@example.com', org.ownerPassword, 401, /is incorrect/],
    [org.ownerEmail, '', 400, /Enter your email address/],
    ['"><script>alert(1)</script>', 'x', 400, /Enter your email address/],
    ['a\0b@example.com', 'x', 400, /Enter your email address/],
  ] as const;
  for (const [email, password, status, problem] of tries) {
    const answer = await client.signIn(email, password);
    t.is(answer.status, status, email);
    t.regex(answer.html, problem);
    t.notRegex(answer.html, /<script(?! type="module" src="\/assets\/)/);
    if (password.length > 5) t.false(answer.html.includes(password));
    t.false(client.cookies.has('flow_session'));
  }
});

test('after ten failures the form says when to retry, also with the right password', async (t) => {
  const org = await newOrganization(app);
  const client = newClient(app);
  const { html } = await client.get('/sign-in');
  const fields = { ...fieldsOf(html), email: org.ownerEmail };
  for (let attempt = 0; attempt < 10; attempt += 1) {
    t.is((await client.submit('/sign-in', { ...fields, password: 'wrong' })).status, 401);
  }
  const rejected = await client.submit('/sign-in', { ...fields, password: org.ownerPassword });
  t.is(rejected.status, 429);
  t.regex(rejected.html, /Too many failed sign-ins; retry in \d+ s/);
});

test('a form that this service has not given to this browser neither signs in nor out', async (t) => {
  const org = await newOrganization(app);
  const credentials = { email: org.ownerEmail, password: org.ownerPassword };
  const client = newClient(app);
  const form = fieldsOf((await client.get('/sign-in')).html);
  const signIn = (fields: Record<string, string>, headers = {}) =>
    client.submit('/sign-in', { ...credentials, ...fields }, headers);
  t.is((await signIn({})).status, 403, 'without the token');
  t.is((await signIn({ ...form, csrf: 'x'.repeat(43) })).status, 403, 'with another token');
  for (const foreign of foreignHeaders) t.is((await signIn(form, foreign)).status, 403, JSON.stringify(foreign));
  t.is((await signIn(form, { 'content-type': 'text/plain' })).status, 400, 'in another encoding');
  const stolen = newClient(app).submit('/sign-in', { ...credentials, ...form });
  t.is((await stolen).status, 403, 'from a browser without the cookie');
  t.false(client.cookies.has('flow_session'));
  const tooLarge = await signIn({ ...form, filler: 'x'.repeat(20_000) });
  t.is(tooLarge.status, 413);
  t.regex(tooLarge.html, /exceeds 16 KB/);

  t.is((await signIn(form, { origin: app.baseUrl })).status, 303);
  t.is((await client.submit('/sign-out', {})).status, 403);
  t.is((await client.submit('/sign-out', { csrf: form['csrf'] ?? '' })).status, 403, 'the token of the other form');
  const { headers, status } = await client.submit('/sign-out', fieldsOf((await client.get('/p')).html));
  t.deepEqual([status, headers.get('location')], [303, '/sign-in']);
  t.false(client.cookies.has('flow_session'));
  t.is((await client.submit('/sign-out', {})).status, 303, 'without a session there is nothing to do');
});
