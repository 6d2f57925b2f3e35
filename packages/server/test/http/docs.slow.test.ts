import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { parse } from 'yaml';

const app = useSharedApp(test);
const visit = useBrowser(test);

const get = (path: string, init?: RequestInit) => fetch(`${app.baseUrl}${path}`, { redirect: 'manual', ...init });

test('the start page leads people to the reference and tells programs where everything is', async (t) => {
  const people = await get('/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  t.deepEqual(
    [people.status, people.headers.get('location'), people.headers.get('vary')],
    [302, '/docs', 'Accept-Encoding, Accept'],
  );
  for (const accept of ['*/*', 'application/json']) {
    const response = await get('/', { headers: { accept } });
    t.is(response.status, 200);
    const { name, version, ...links } = (await response.json()) as Record<string, string>;
    t.is(name, 'Runward');
    t.regex(version ?? '', /^\d+\.\d+\.\d+/);
    t.deepEqual(Object.keys(links).sort(), ['guides', 'health', 'openapi', 'reference']);
    for (const link of Object.values(links)) t.is((await get(link)).status, 200, link);
  }
});

test('the reference loads its files from this service only, and no text becomes code', async (t) => {
  const page = await get('/docs/');
  t.is(page.status, 200);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  t.regex(policy, /default-src 'none'; script-src 'self'; .*connect-src 'self'/);
  t.notRegex(policy, /script-src [^;]*unsafe/);
  const links = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
  t.true(links.length >= 4);
  for (const link of links) {
    t.true(link.startsWith('/'), link);
    const asset = await get(link);
    t.is(asset.status, 200, link);
    if (link.endsWith('.js')) t.is(asset.headers.get('content-type'), 'text/javascript; charset=utf-8');
    if (link.includes('/reference.')) t.regex(asset.headers.get('cache-control') ?? '', /immutable/);
    await asset.body?.cancel();
  }
  t.is((await get('/docs/reference.other.js')).status, 404);
});

test('HEAD has the headers of GET, and other methods are rejected with the methods that a path accepts', async (t) => {
  for (const path of ['/docs', '/llms.txt', '/openapi.json', '/openapi.yaml', '/health/live']) {
    const head = await get(path, { method: 'HEAD' });
    t.deepEqual([head.status, await head.text()], [200, ''], path);
    t.is(head.headers.get('content-type'), (await get(path)).headers.get('content-type'), path);
    const post = await get(path, { method: 'POST' });
    t.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD'], path);
    t.like(await post.json(), { statusCode: 405, error: 'Method Not Allowed', code: 'method_not_allowed', path });
  }
});

test('the document is also served as YAML, with the service itself as its server', async (t) => {
  const yaml = await get('/openapi.yaml');
  const document = (await (await get('/openapi.json')).json()) as { servers: { url: string }[] };
  t.is(yaml.headers.get('content-type'), 'application/yaml; charset=utf-8');
  t.deepEqual(parse(await yaml.text()), document);
  t.deepEqual(
    document.servers.map(({ url }) => url),
    ['/'],
  );
});

(hasChromium ? test : test.skip)(
  'in a browser, the reference is searched, and a request is sent by another name',
  async (t) => {
    const { apiKey } = await newOrganization(app);
    await visit(t, async (page) => {
      page.setDefaultTimeout(120_000);
      const foreign: string[] = [];
      const port = new URL(app.baseUrl).port;
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http') && url.port !== port) foreign.push(request.url());
      });
      await page.goto(`http://localhost:${port}/docs`);
      await page.getByRole('heading', { name: 'Authentication' }).first().waitFor();
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('combobox').fill('launch several');
      await page
        .getByRole('option', { name: /Launch several runs/ })
        .first()
        .click();
      await page.getByRole('heading', { name: 'Launch several runs' }).first().waitFor();

      await page.goto(`http://localhost:${port}/docs#tag/caller/GET/me`);
      await page.reload();
      await page.getByRole('button', { name: /Test Request.*\/me/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Bearer Token' }).fill(apiKey);
      const [response] = await Promise.all([
        page.waitForResponse((each) => each.url().endsWith('/me')),
        dialog.getByRole('button', { name: /^Send/ }).first().click(),
      ]);
      t.is(response.status(), 200);
      t.like(await response.json(), { type: 'API_KEY' });
      t.deepEqual(foreign, []);
    });
  },
);
