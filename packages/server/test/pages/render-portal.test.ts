import test from 'ava';
import { createCaches } from '../../src/caches.ts';
import { renderPortal } from '../../src/pages/portal/render-portal.ts';
import { textCache } from '../../src/pages/portal/render-text.ts';
import type { ShownBlock, View } from '../../src/pages/portal/view.ts';

const baseUrl = 'https://runward.example';
const now = new Date('2026-03-01T23:30:00.000Z');

const render = (...blocks: readonly ShownBlock[]) => renderWith(textCache(createCaches()), ...blocks);

async function renderWith(texts: ReturnType<typeof textCache>, ...blocks: readonly ShownBlock[]) {
  const view: View = {
    name: 'Portal',
    slug: 'portal',
    description: null,
    timeZone: 'Europe/Berlin',
    publishedAt: now.toISOString(),
    pages: [{ title: 'Page', slug: 'page', blocks: [...blocks] }],
  };
  const { main, footer, imageOrigins } = await renderPortal(view, { now, baseUrl }, texts);
  return { html: main.toString().replaceAll(/\s+/g, ' '), footer: footer.toString(), imageOrigins };
}

type Report = Extract<ShownBlock, { type: 'REPORT' }>;
type Image = Extract<ShownBlock, { type: 'IMAGE' }>;

const report = (settings: Partial<Report>): Report => ({
  type: 'REPORT',
  title: null,
  metric: 'RUNS',
  groupBy: 'DAY',
  chart: 'LINE',
  period: { from: '2026-02-01', to: '2026-02-03' },
  rows: [],
  notices: [],
  ...settings,
});
const image = (url: string | null): Image => ({
  type: 'IMAGE',
  alt: 'Hills',
  url,
  expiresAt: url && now.toISOString(),
  width: url === null ? null : 10,
  height: url === null ? null : 5,
  notices: url === null ? ['IMAGE_DELETED'] : [],
});

test('a text is rendered once for all pages that show it, and other work goes on after each', async (t) => {
  const caches = createCaches();
  const texts = textCache(caches);
  const blocks = ['*a*', '*b*', '*c*'].map((markdown) => ({ type: 'TEXT' as const, markdown }));
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  t.teardown(() => clearImmediate(counting));
  const { html } = await renderWith(texts, ...blocks);
  t.true(turns >= 3, `${turns} turns of the event loop`);
  t.is((await renderWith(texts, ...blocks)).html, html);
  t.regex(html, /<em>a<\/em>.*<em>b<\/em>.*<em>c<\/em>/);
  t.like(caches.use()[0], { name: 'portalTexts', entries: 3, hits: 3, misses: 3 });
});

test('a text that would take long to render is shown as it was written', async (t) => {
  const table = `${'|a'.repeat(50)}\n${'|-'.repeat(50)}\n${'b\n'.repeat(9_000)}`;
  for (const markdown of [table, '['.repeat(20_000), '!['.repeat(10_000)]) {
    const { html } = await render({ type: 'TEXT', markdown });
    t.true(html.includes(`<pre>${markdown.replaceAll('\n', ' ').trimEnd()}`.slice(0, 1_000)));
    t.true(html.length < 21_000, `${html.length} characters`);
  }
});

test('images of this service are named by their path, and the origins of others are allowed', async (t) => {
  const own = `${baseUrl}/files/transfer/download/a`;
  const { html, imageOrigins } = await render(image(own), image('https://bucket.example/a?b=1&c=2'), image(null));
  t.regex(html, /<img src="\/files\/transfer\/download\/a" alt="Hills" width="10" height="5"/);
  t.regex(html, /<img src="https:\/\/bucket\.example\/a\?b=1&amp;c=2"/);
  t.is(html.match(/Hills/g)?.length, 2);
  t.deepEqual(imageOrigins, ['https://bucket.example']);
  t.deepEqual((await render(image(own))).imageOrigins, []);
  t.deepEqual((await render(image(`${baseUrl}.evil.example/a`))).imageOrigins, [`${baseUrl}.evil.example`]);
});

test('a link in a text leads nowhere if its URL has a user name or a password', async (t) => {
  const hidden = ['https://bank.example:x@evil.example', 'http:bank.example@evil.example', '//:x@evil.example'];
  for (const url of [...hidden, String.raw`https:\\bank.example@evil.example`]) {
    const { html } = await render({ type: 'TEXT', markdown: `[a](${url}) ![b](${url}) [c]\n\n[c]: ${url}` });
    t.false(html.includes('href'), html);
  }
  const { html } = await render({
    type: 'TEXT',
    markdown: '<https://bank.example/@a> [b](/p/b) [c](mailto:c@example.com)',
  });
  for (const url of ['https://bank.example/@a', '/p/b', 'mailto:c@example.com']) t.true(html.includes(`href="${url}"`));
});

test('times are in the time zone of the organization, days are as they are', async (t) => {
  const run = { title: 'Run', status: 'COMPLETED', scheduledDateLocal: '2026-03-01' } as const;
  const at = now.toISOString();
  const runs = [{ ...run, createdAt: at, completedAt: at }];
  const { html, footer } = await render({ type: 'RUN_LIST', title: null, runs, hasMore: true, notices: [] });
  t.regex(html, /data-label="Planned for">1 Mar 2026</);
  t.regex(html, /data-label="Launched">2 Mar 2026</);
  t.regex(html, /The newest 1 are shown; there are more\./);
  t.regex(footer, /2 Mar 2026, 00:30/);
});

test('a line has a gap where there is no value, and the table a dash', async (t) => {
  const values = [3_600, 7_200, null, 5_400, null, 1_800, 1_800];
  const rows = values.map((value, index) => ({ label: `2026-02-0${index + 1}`, value }));
  const { html } = await render(report({ metric: 'CYCLE_TIME_MEDIAN', rows }));
  t.is(html.match(/<polyline/g)?.length, 3);
  t.is(html.match(/<circle/g)?.length, 5);
  t.deepEqual(
    [...html.matchAll(/class="mark"[^>]*>([^<]+)</g)].map(([, mark]) => mark?.trim()),
    ['0', '1.0 h', '2.0 h'],
  );
  t.regex(html, /<bdi>3 Feb 2026<\/bdi><\/th> <td class="number">–</);
});

test('figures without a value, without rows or without a period are said in words, not drawn', async (t) => {
  const one = (value: number | null) => [{ label: 'All runs', value }];
  const texts = async (settings: Partial<Report>) => (await render(report(settings))).html;
  t.regex(await texts({ groupBy: 'NONE', chart: 'BAR', metric: 'ON_TIME_RATE', rows: one(0.25) }), /<dd>25\.0 %<\/dd>/);
  t.regex(await texts({ groupBy: 'NONE', chart: 'NUMBER', metric: 'ON_TIME_RATE', rows: one(null) }), /<dd>–<\/dd>/);
  t.regex(await texts({ groupBy: 'TEMPLATE', rows: [] }), /No runs in this period\./);
  const hidden = await texts({
    groupBy: 'OWNER',
    period: null,
    rows: null,
    notices: ['OWNERS_HIDDEN', 'PERIOD_INVALID'],
  });
  t.regex(hidden, /There are no figures to show\./);
  t.notRegex(hidden, /class="notice"|does not show figures|has not begun/);
  t.notRegex(hidden, /<svg|<table/);
  const zero = await texts({ groupBy: 'STATUS', chart: 'BAR', rows: [{ label: 'Running', value: 0 }] });
  t.notRegex(zero, /NaN|Infinity/);
  t.notRegex(await texts({ rows: [{ label: '2026-02-01', value: 0 }] }), /NaN|Infinity/);
});

test('the points of a line, and their labels, are at the same places', async (t) => {
  const rows = [1, 2, 3, 4, 5].map((value) => ({ label: `2026-02-0${value}`, value }));
  const { html } = await render(report({ rows }));
  const dots = [...html.matchAll(/<circle class="dot" cx="([^"]+)"/g)].map(([, x]) => x);
  t.deepEqual(dots, ['0%', '25%', '50%', '75%', '100%']);
  const labels = [...html.matchAll(/<text class="(?:end|between)" x="([^"]+)"/g)].map(([, x]) => x);
  t.deepEqual(labels, [dots[0], dots[2], dots[4]]);
});

test('the first week of a period begins on its first day', async (t) => {
  const rows = ['2026-01-26', '2026-02-02'].map((label) => ({ label, value: 1 }));
  const { html } = await render(report({ groupBy: 'WEEK', rows, period: { from: '2026-02-01', to: '2026-02-08' } }));
  t.regex(html, /<bdi>1 Feb 2026<\/bdi>[^]*<bdi>2 Feb 2026<\/bdi>/);
  t.notRegex(html, /26 Jan/);
});

test('readers do not see what concerns the editors', async (t) => {
  const notices: ['TEMPLATE_DELETED', 'FOLDER_DELETED'] = ['TEMPLATE_DELETED', 'FOLDER_DELETED'];
  const list = { type: 'RUN_LIST' as const, title: 'Orders', runs: [], hasMore: false, notices };
  const { html } = await render(list, report({ notices, rows: [{ label: '2026-02-01', value: 1 }] }));
  t.notRegex(html, /was deleted/);
});

test('figures that follow each other are in one row, and the heading after them is not', async (t) => {
  const figure = report({ groupBy: 'NONE', chart: 'NUMBER', rows: [{ label: 'All runs', value: 1 }] });
  const { html } = await render(figure, figure, { type: 'HEADING', text: 'Next', level: 1 }, figure);
  const rows = [...html.matchAll(/<div class="figures">[^]*?<\/div> ?<\/dl>[^]*?<\/section> ?<\/div>/g)];
  t.is(rows.length, 2, html);
  t.regex(html, /^[^]*?<section[^]*?<section[^]*?<\/section> ?<\/div> ?<h2/);
});

test('bars of statuses have their colours, and long names are shown as they are', async (t) => {
  const statuses = ['Running', 'Overdue'].map((label) => ({ label, value: 1 }));
  const { html } = await render(report({ groupBy: 'STATUS', chart: 'BAR', rows: statuses }));
  t.regex(html, /class="bar running"[^]*class="bar overdue"/);
  const name = 'Contract review of a long name that a wide screen has room for';
  const bars = await render(report({ groupBy: 'TEMPLATE', chart: 'BAR', rows: [{ label: name, value: 1 }] }));
  t.is(bars.html.match(new RegExp(name, 'g'))?.length, 2);
  t.notRegex(bars.html, /class="bar contract/);
});
