/**
 * Compares lists and counts of 1,000 runs with those of 1,000,000: `node --conditions=@runward/source benchmarks/lists.ts [RUNS] [FOLDER]`.
 * Sends each request to a service with few runs and to one with many in turn, 300 times after 10 to warm up, 20 times if runs have to be
 * counted, and prints the medians, the 95th percentiles and their ratio. With FOLDER the data stays there, to be measured again.
 */
import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';
import { startWithRuns } from './many-runs.ts';
import { startDatabase } from './database.ts';
import { percentile } from './measured.ts';

const few = 1_000;
const many = Number(process.argv[2] ?? 1_000_000);
const requests = 300;
const slowRequests = 20;
const warmUp = 10;
const log = (line: string) => void process.stdout.write(`${line}\n`);

await using stack = new AsyncDisposableStack();
const { postgres, folder } = await startDatabase(process.argv[3], stack);
const apis: Api[] = [];
for (const runs of [few, many]) {
  const databaseUrl = postgres.url(`runs_${runs}`);
  const { api } = await startWithRuns({ runs, tasks: 0, databaseUrl, folder, log }, stack);
  apis.push(api);
}

/** A request and the total that it returned. */
type Request = (api: Api, templateId: string) => Promise<{ total: number }>;

const list = (api: Api, query: object) => must(api.call('runs', 'list', { query: { limit: 50, ...query } }));
const measured: Readonly<Record<string, Request>> = {
  list: (api) => list(api, {}),
  'list, 200 per page': (api) => list(api, { limit: 200 }),
  'list, second page': async (api) => list(api, { cursor: await secondPage(api) }),
  'list, status RUNNING': (api) => list(api, { statuses: ['RUNNING'] }),
  'list, one template': (api, templateId) => list(api, { templateId }),
  'list, one template, RUNNING': (api, templateId) => list(api, { templateId, statuses: ['RUNNING'] }),
  'list, archived': (api) => list(api, { archived: true }),
  counts: (api) => must(api.call('runs', 'counts')),
  'counts, one template': (api, templateId) => must(api.call('runs', 'counts', { query: { templateId } })),
  'preview, RUNNING': (api) =>
    must(api.call('savedViews', 'preview', { body: { filters: { statuses: ['RUNNING'] } } })),
};

/** The runs are counted. */
const slow: Readonly<Record<string, Request>> = {
  'list, one title': (api) => list(api, { search: 'number 777' }),
  'list, no title': (api) => list(api, { search: 'nothing' }),
  'counts, created since 2020': (api) => must(api.call('runs', 'counts', { query: { createdFrom: '2020-01-01' } })),
};

const cursors = new Map<Api, string>();

async function secondPage(api: Api): Promise<string> {
  const cursor = cursors.get(api) ?? (await list(api, {})).nextCursor ?? '';
  cursors.set(api, cursor);
  return cursor;
}

async function templateOf(api: Api): Promise<string> {
  return (await must(api.call('templates', 'list', { query: { limit: 1 } }))).data[0]?.id ?? '';
}

const templateIds = new Map<Api, string>();
for (const api of apis) templateIds.set(api, await templateOf(api));
const columns = ['p50', 'p95', `p50 of ${many}`, `p95 of ${many}`, 'ratio'];
log(`\n${'request'.padEnd(30)}${'total'.padStart(9)}${columns.map((name) => name.padStart(16)).join('')}`);
const rows = [
  ...Object.entries(measured).map(([title, request]) => ({ title, request, times: requests })),
  ...Object.entries(slow).map(([title, request]) => ({ title, request, times: slowRequests })),
];
for (const { title, request, times: count } of rows) {
  const times = apis.map((): number[] => []);
  let total = 0;
  for (let index = -warmUp; index < count; index += 1) {
    for (const [which, api] of apis.entries()) {
      const start = performance.now();
      ({ total } = await request(api, templateIds.get(api) ?? ''));
      if (index >= 0) times[which]?.push(performance.now() - start);
    }
  }
  const [of = [], ofMany = []] = times;
  const shown = [percentile(of, 0.5), percentile(of, 0.95), percentile(ofMany, 0.5), percentile(ofMany, 0.95)];
  const ratio = percentile(ofMany, 0.95) / percentile(of, 0.95);
  const cells = [...shown.map((ms) => ms.toFixed(1)), ratio.toFixed(2)].map((cell) => cell.padStart(16));
  log(`${title.padEnd(30)}${String(total).padStart(9)}${cells.join('')}`);
}
