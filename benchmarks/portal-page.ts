/**
 * Measures `GET /p/:slug` of a portal with ten blocks of live data over 100,000 runs:
 * `node --conditions=@runward/source benchmarks/portal-page.ts [RUNS] [FOLDER]`. Prints the requests per second over ten connections while the
 * page is kept, and the median and the 95th percentile of 40 requests, one at a time, of which each finds a page that was not kept. With
 * FOLDER the data stays there, to be measured again.
 */
import type { BodyInput, Contract } from '@runward/contract';
import { must } from '@runward/testing/process';
import autocannon from 'autocannon';
import { startWithRuns } from './many-runs.ts';
import { startDatabase } from './database.ts';

type Blocks = BodyInput<Contract['portals.pages']['setBlocks']>['blocks'];
type Report = NonNullable<Extract<Blocks[number], { type: 'REPORT' }>['report']>;

const requests = 40;
const seconds = 10;
const connections = 10;

await using stack = new AsyncDisposableStack();
const runs = Number(process.argv[2] ?? 100_000);
const { postgres, folder } = await startDatabase(process.argv[3], stack);
const databaseUrl = postgres.url('service');
const log = (line: string) => console.log(line);
const { api, baseUrl } = await startWithRuns({ runs, tasks: 2, databaseUrl, folder, log }, stack);
const templates = await must(api.call('templates', 'list', { query: { limit: 1 } }));
const templateIds = templates.data.map(({ id }) => id);
const month: Report = { metric: 'RUNS', filters: {}, groupBy: 'NONE', chart: 'NUMBER' };
const reports: readonly Partial<Report>[] = [
  {},
  { metric: 'COMPLETION_RATE' },
  { metric: 'CYCLE_TIME_MEDIAN' },
  { metric: 'OVERDUE_TASKS' },
  { groupBy: 'STATUS', chart: 'BAR' },
  { groupBy: 'TEMPLATE', chart: 'BAR' },
  { groupBy: 'DAY', chart: 'LINE' },
  { groupBy: 'WEEK', chart: 'BAR', metric: 'ON_TIME_RATE' },
];
const blocks: Blocks = [
  { type: 'HEADING', text: 'Orders', level: 1 },
  { type: 'TEXT', markdown: 'We reply within **two working days**.' },
  { type: 'RUN_LIST', title: 'Newest', filters: {} },
  { type: 'RUN_LIST', title: 'Overdue', filters: { statuses: ['OVERDUE'], templateIds } },
  ...reports.map((report): Blocks[number] => ({ type: 'REPORT', report: { ...month, ...report } })),
];

const body = { name: 'Benchmark', slug: `benchmark-${Date.now()}`, audience: 'PUBLIC' as const };
const { id: portalId, slug } = await must(api.call('portals', 'create', { body }));
const page = { title: 'Overview', slug: 'overview' };
const { id: pageId } = await must(api.call('portals.pages', 'create', { params: { portalId }, body: page }));
const params = { portalId, pageId };
await must(api.call('portals.pages', 'setBlocks', { params, body: { blocks } }));
await must(api.call('portals', 'publish', { params }));
const url = `${baseUrl}/p/${slug}`;

const times: number[] = [];
for (let index = -2; index < requests; index += 1) {
  // Every change of the portal is another revision, so that no page of it is kept.
  await must(api.call('portals', 'update', { params, body: { description: `Round ${index}` } }));
  const began = performance.now();
  const response = await fetch(url);
  await response.text();
  if (index >= 0) times.push(performance.now() - began);
  if (!response.ok) throw new Error(`${url} returned ${response.status}.`);
}
times.sort((one, other) => one - other);
const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? NaN).toFixed(0)} ms`;
console.log(`not kept: p50 ${at(0.5)}, p95 ${at(0.95)} (aim: p95 <= 100 ms)`);

const load = await autocannon({
  url: baseUrl,
  headers: {},
  requests: [{ method: 'GET', path: `/p/${slug}` }],
  connections,
  duration: seconds,
});
// Waits for the last rendering, which the load left behind.
await (await fetch(url)).text();
if (load.non2xx + load.errors + load.timeouts > 0) throw new Error('Some requests failed.');
console.log(`kept: ${(load['2xx'] / load.duration).toFixed(0)} requests per second (aim: >= 300)`);
