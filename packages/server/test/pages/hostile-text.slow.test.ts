import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { renderMarkdown } from '../../src/pages/portal/render-markdown.ts';
import { createPage, createPortal, publish, setBlocks } from '../support/portals.ts';
import { newAssetId } from '../support/world/files.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)></title></style>{{7*7}}\${alert(1)}`;
const hostileMarkdown = [
  hostile,
  '[a](javascript:alert(1)) [b](<java\tscript:alert(1)>) [c](data:text/html;base64,PHNjcmlwdD4=) [d](vbscript:x)',
  '<javascript:alert(1)> [e](//evil.example/x) [f](https://ok.example/ "\\"onmouseover=alert(1)")',
  '![pixel](https://evil.example/x.png) ![x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[ref]\n\n[ref]: javascript:alert(1)',
  '<svg onload=alert(1)><style>@import "//evil.example"</style><iframe srcdoc="<script>alert(1)</script>">',
  '```html" onclick=alert(1)\n<script>alert(1)</script>\n```',
  '| a |\n| :-: |\n| <b onclick=alert(1)>x</b> |',
].join('\n\n');

withChromium(
  'hostile text in every place remains text: nothing runs, and nothing is loaded from elsewhere',
  async (t) => {
    const { api } = await newOrganization(app);
    const { templateId } = await publishProcess(api, undefined, { name: hostile });
    await launchRun(api, templateId, { title: hostile });
    const assetId = await newAssetId({ api }, templateId);
    const filters = {};
    const report = { metric: 'RUNS', filters } as const;
    const { id, slug } = await createPortal(api, { audience: 'PUBLIC', name: hostile, description: hostile });
    const page = await createPage(api, id);
    const params = { portalId: id, pageId: page.id };
    await must(api.call('portals.pages', 'update', { params, body: { title: hostile } }));
    await must(
      setBlocks(api, page, [
        { type: 'HEADING', text: hostile, level: 1 },
        { type: 'TEXT', markdown: hostileMarkdown },
        { type: 'IMAGE', assetId, alt: hostile },
        { type: 'LINK', label: hostile, url: 'https://ok.example/?a="><script>alert(1)</script>'.replaceAll(' ', '') },
        { type: 'RUN_LIST', title: hostile, filters },
        { type: 'REPORT', title: hostile, report: { ...report, groupBy: 'TEMPLATE', chart: 'BAR' } },
        { type: 'REPORT', title: hostile, report: { ...report, groupBy: 'TEMPLATE', chart: 'NUMBER' } },
      ]),
    );
    await publish(api, id);
    await visit(t, async (browser) => {
      const elsewhere: string[] = [];
      browser.on('request', (request) => {
        if (!request.url().startsWith(app.baseUrl)) elsewhere.push(request.url());
      });
      browser.on('dialog', () => t.fail('a script ran'));
      await browser.goto(`${app.baseUrl}/p/${slug}`);
      await browser.evaluate('document.querySelectorAll("details").forEach((each) => (each.open = true))');
      t.is(await browser.title(), hostile);
      t.is(await browser.getByRole('heading', { name: hostile }).count(), 5);
      t.is(await browser.getByRole('rowheader', { name: hostile }).count(), 2);
      t.is(await browser.getByRole('img', { name: hostile, exact: true }).count(), 1);
      t.is(await browser.locator('main :is(script, style, iframe, form, input, button, base, object)').count(), 0);
      t.is(await browser.locator('main img').count(), 1);
      const attributes = await browser.evaluate<string[]>(
        '[...document.querySelectorAll("main *")].flatMap((each) => each.getAttributeNames())',
      );
      t.deepEqual(
        attributes.filter((name) => /^(?:on|style)/.test(name)),
        [],
      );
      const links = await browser.evaluate<string[]>(
        '[...document.querySelectorAll("main a[href]")].map((a) => a.href)',
      );
      const origins = new Set(links.map((link) => new URL(link).origin));
      t.deepEqual([...origins].sort(), [app.baseUrl, 'https://ok.example'], 'a broken scheme is a relative URL');
      t.deepEqual(elsewhere, []);
    });
  },
);

test('Markdown becomes headings without gaps, links, lists, tables and code, and HTML in it stays text', (t) => {
  const render = (markdown: string, level = 2) => renderMarkdown(markdown, level).toString().trim();
  t.is(render('## A\n#### B\n# C'), '<h2>A</h2>\n<h3>B</h3>\n<h2>C</h2>');
  t.is(render('# A\n## B\n### C', 5), '<h5>A</h5>\n<h6>B</h6>\n<h6>C</h6>');
  t.is(render('a **b** *c* ~~d~~ `e`'), '<p>a <strong>b</strong> <em>c</em> <s>d</s> <code>e</code></p>');
  t.is(render('[a](https://a.example/?b=1&c=2)'), '<p><a href="https://a.example/?b=1&amp;c=2">a</a></p>');
  t.is(
    render('[a](mailto:a@example.com) [b](second)'),
    '<p><a href="mailto:a@example.com">a</a> <a href="second">b</a></p>',
  );
  t.regex(render('| a |\n| - |\n| 1 |'), /<table>\s*<thead>\s*<tr>\s*<th>a<\/th>/);
  t.is(render('<b>a</b>'), '<p>&lt;b&gt;a&lt;/b&gt;</p>');
  t.is(render('![A map](https://a.example/map.png)'), '<p>A map</p>');
  for (const scheme of ['javascript', 'JavaScript', 'vbscript', 'data', 'file', 'ftp', 'blob']) {
    t.notRegex(render(`[a](${scheme}:x) <${scheme}:x>`), /href/, scheme);
  }
});
