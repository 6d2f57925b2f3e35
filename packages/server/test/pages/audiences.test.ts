import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { createLink, newEmail, newFormTask, openLink } from '../support/form-links.ts';
import { getPage } from '../support/pages.ts';
import { createPage, createPortal, publish, publishedPortal, setBlocks } from '../support/portals.ts';

const app = useSharedApp(test);

test('everyone reads a public portal, and anyone may keep it for seconds, as it has nothing of its reader', async (t) => {
  const org = await newOrganization(app);
  const { portal } = await publishedPortal(org.api, [{ type: 'HEADING', text: 'Welcome', level: 1 }]);
  const path = `/p/${portal.slug}`;
  const { status, headers, html } = await getPage(app, path);
  t.is(status, 200);
  t.is(headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(headers.get('cache-control'), 'public, max-age=5');
  t.regex(html, /<h2 class="size-1" ?>Welcome<\/h2>/);
  t.notRegex(html, /noindex/);
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  for (const same of [path, `${path}/page`, `${path}/`]) {
    t.is((await member.get(same)).html.replace(/<footer>[^]*/, ''), html.replace(/<footer>[^]*/, ''), same);
  }
  const head = await fetch(`${app.baseUrl}${path}`, { method: 'HEAD' });
  t.deepEqual([head.status, await head.text()], [200, '']);
});

test('a restricted portal is shown to members with access and to administrators, and to no one else', async (t) => {
  const [org, stranger] = [await newOrganization(app), await newOrganization(app)];
  const { portal } = await publishedPortal(org.api, [{ type: 'HEADING', text: 'Internal', level: 1 }], {
    audience: 'RESTRICTED',
  });
  const path = `/p/${portal.slug}`;
  const owner = newClient(app);
  await owner.signIn(org.ownerEmail, org.ownerPassword);
  const { status, headers, html } = await owner.get(path);
  t.deepEqual([status, headers.get('cache-control')], [200, 'no-store']);
  t.regex(html, /Internal/);
  t.regex(html, /<button[^>]*>Sign out<\/button>/);
  t.regex(html, /noindex/);

  const { id, email, password } = await addMember(app.baseUrl, await org.session());
  const member = newClient(app);
  await member.signIn(email, password);
  const foreign = newClient(app);
  await foreign.signIn(stranger.ownerEmail, stranger.ownerPassword);
  const missing = async ({ get }: typeof member) => {
    const { status, html } = await get(path);
    t.notRegex(html, /Internal/);
    return status === 404;
  };
  t.true(await missing(newClient(app)), 'without a session');
  t.true(await missing(foreign), 'of another organization');
  t.true(await missing(member), 'without access');
  const key = { authorization: `Bearer ${org.apiKey}` };
  t.is((await getPage(app, path, key)).status, 404, 'pages are for people, not for keys');

  const params = { portalId: portal.id };
  const rule = await must(org.api.call('portals.accessRules', 'create', { params, body: { userId: id } }));
  t.is((await member.get(path)).status, 200);
  const ruleParams = { ...params, ruleId: rule.id };
  t.is((await org.api.call('portals.accessRules', 'delete', { params: ruleParams })).status, 204);
  t.true(await missing(member), 'after the rule is gone');
  t.true(await missing(newClient(app)), 'the page that others were shown is not kept for strangers');
});

test('a form link opens only public portals, even if its guest has an access rule', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const { userId, url } = await must(createLink(org.api, taskId, { email: newEmail() }));
  const { portal } = await publishedPortal(org.api, [], { audience: 'RESTRICTED' });
  const params = { portalId: portal.id };
  await must(org.api.call('portals.accessRules', 'create', { params, body: { userId } }));
  const { client } = await openLink(app, url);
  t.is((await client.get(`/p/${portal.slug}`)).status, 404);
  t.notRegex((await client.get('/p')).html, new RegExp(portal.slug));
  await must(org.api.call('portals', 'update', { params, body: { audience: 'PUBLIC' } }));
  t.is((await client.get(`/p/${portal.slug}`)).status, 200);
});

test('a portal that becomes restricted or a draft is gone at once, and what is published is there at once', async (t) => {
  const { api } = await newOrganization(app);
  const { portal, page } = await publishedPortal(api, [{ type: 'HEADING', text: 'Before', level: 1 }]);
  const params = { portalId: portal.id };
  const read = async () => {
    const { status, html } = await getPage(app, `/p/${portal.slug}`);
    return [status, html.includes('Before'), html.includes('After')];
  };
  t.deepEqual(await read(), [200, true, false]);
  await must(setBlocks(api, page, [{ type: 'HEADING', text: 'After', level: 1 }]));
  t.deepEqual(await read(), [200, true, false]);
  await publish(api, portal.id);
  t.deepEqual(await read(), [200, false, true]);
  await must(api.call('portals', 'update', { params, body: { audience: 'RESTRICTED' } }));
  t.deepEqual(await read(), [404, false, false]);
  await must(api.call('portals', 'update', { params, body: { audience: 'PUBLIC' } }));
  t.deepEqual(await read(), [200, false, true]);
  await must(api.call('portals', 'unpublish', { params }));
  t.deepEqual(await read(), [404, false, false]);
});

test('a missing portal, a draft, an unpublished and a restricted one are the same page, byte for byte', async (t) => {
  const { api } = await newOrganization(app);
  const stranger = await newOrganization(app);
  const { id, slug } = await createPortal(api, { audience: 'PUBLIC' });
  const params = { portalId: id };
  const signedIn = newClient(app);
  await signedIn.signIn(stranger.ownerEmail, stranger.ownerPassword);
  const read = async () => {
    const seen = [await getPage(app, `/p/${slug}`), await signedIn.get(`/p/${slug}`)];
    return seen.map(({ status, headers, html }) => {
      const constant = [...headers].filter(([name]) => !/^(?:date|x-request-id|x-ratelimit-.*)$/.test(name));
      return [status, constant, html];
    });
  };
  const draft = await read();
  t.deepEqual(
    draft.map(([status]) => status),
    [404, 404],
  );
  await createPage(api, id);
  await publish(api, id);
  t.deepEqual(
    (await read()).map(([status]) => status),
    [200, 200],
  );
  await must(api.call('portals', 'unpublish', { params }));
  t.deepEqual(await read(), draft, 'unpublished');
  await must(api.call('portals', 'update', { params, body: { audience: 'RESTRICTED' } }));
  await publish(api, id);
  t.deepEqual(await read(), draft, 'restricted');
  t.is((await api.call('portals', 'delete', { params })).status, 204);
  t.deepEqual(await read(), draft, 'deleted');
});

test('what cannot be the address of a page is not found, whatever bytes it has', async (t) => {
  const { api } = await newOrganization(app);
  const { portal } = await publishedPortal(api, []);
  const slugs = ['%00', 'a%00b', '%ff', 'NOT', '..%2f..', 'a'.repeat(300), '%F0%9F%98%80', "'", '%3Cscript%3E'];
  for (const path of slugs.flatMap((slug) => [`/p/${slug}`, `/p/${portal.slug}/${slug}`])) {
    const { status, headers, html } = await getPage(app, path);
    t.true(status === 404 || status === 400, `${path}: ${status}`);
    t.notRegex(html, /<script/i);
    t.is(headers.get('cache-control'), 'no-store');
  }
  t.is((await getPage(app, `/p/${portal.slug}/missing`)).status, 404);
  t.is((await getPage(app, '/assets/pages.css')).status, 404);
  t.is((await getPage(app, '/assets/..%2fpackage.json')).status, 404);
});

test('live data is that of the organization of the portal, and a page without published pages says so', async (t) => {
  const [org, stranger] = [await newOrganization(app, { timeZone: 'Asia/Tokyo' }), await newOrganization(app)];
  const { templateId } = await publishProcess(org.api);
  await launchRun(org.api, templateId, { title: 'Ours' });
  const theirs = await publishProcess(stranger.api);
  await launchRun(stranger.api, theirs.templateId, { title: 'Theirs' });
  const { portal } = await publishedPortal(org.api, [{ type: 'RUN_LIST', filters: {} }]);
  const visitor = newClient(app);
  await visitor.signIn(stranger.ownerEmail, stranger.ownerPassword);
  const { html } = await visitor.get(`/p/${portal.slug}`);
  t.regex(html, /Ours/);
  t.notRegex(html, /Theirs/);
  t.regex(html, /Asia\/Tokyo/);

  const { id, slug } = await createPortal(org.api, { audience: 'PUBLIC' });
  await publish(org.api, id);
  t.regex((await getPage(app, `/p/${slug}`)).html, /no pages yet/);
});

test('files of pages have a hash in their URL and may be kept forever', async (t) => {
  const { html } = await getPage(app, '/sign-in');
  for (const [, path = ''] of html.matchAll(/<link [^>]*href="([^"]+)"/g)) {
    t.regex(path, /^\/assets\/[\w-]+\.[\w-]{12}\.(?:css|svg|woff2)$/);
    const { status, headers } = await getPage(app, path);
    t.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=31536000, immutable']);
    t.is(headers.get('content-encoding'), path.endsWith('.woff2') ? null : 'gzip', path);
    t.is(headers.get('vary'), 'Accept-Encoding');
  }
});
