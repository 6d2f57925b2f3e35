import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { pages } from '../../src/pages/pages.ts';
import { getPage } from '../support/pages.ts';
import { publishedPortal } from '../support/portals.ts';

const app = useSharedApp(test);

/** The pages besides those of the console that load scripts: the form for signing in, because passkeys need them. */
const scripted = new Set(['signIn', 'submitSignIn', 'resumeSignIn']);

test('every page is HTML with a strict policy, for members, strangers and odd requests, and no file is', async (t) => {
  const org = await newOrganization(app);
  const { portal } = await publishedPortal(org.api, [], { audience: 'RESTRICTED' });
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const policy = (scripts: string) =>
    `default-src 'none'; ${scripts}style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
  for (const [name, { method, path: pattern }] of Object.entries(pages)) {
    const path = pattern.replace(':slug', portal.slug).replace(':page', 'page').replace(':file', 'none');
    const odd = [path, `${path}?x=%00&next=%ff&notice=constructor`, path.toUpperCase(), `${path}/`];
    const answers = [];
    for (const each of odd) {
      answers.push(await (method === 'GET' ? member.get(each) : member.submit(each, { csrf: '\0', next: '%' })));
      answers.push(await (method === 'GET' ? getPage(app, each) : newClient(app).submit(each, {})));
    }
    for (const { status, headers, html } of answers) {
      t.true(status < 500, `${name}: ${status}`);
      t.is(headers.get('x-content-type-options'), 'nosniff', name);
      t.truthy(headers.get('x-request-id'), name);
      if (status === 303) continue;
      t.is(headers.get('content-type'), 'text/html; charset=utf-8', name);
      const hasScripts = (name.startsWith('console') || scripted.has(name)) && html.includes('<script');
      const scripts = hasScripts ? "script-src 'self'; connect-src 'self'; " : '';
      t.is(headers.get('content-security-policy'), policy(scripts), name);
      t.notRegex(html, hasScripts ? /<script(?![^>]* src="\/assets\/)/ : /<script/, name);
      t.false(html.includes('native code'), name);
      t.regex(html, /^<!doctype html>[^]*<h1>[^]*<\/html>\s*$/, name);
    }
  }
  t.is(
    (await fetch(`${app.baseUrl}/p/${portal.slug}`, { method: 'POST' })).headers.get('content-type'),
    'application/json; charset=utf-8',
  );
});
