/**
 * Measures analytics over 1,000,000 runs: `node --conditions=@runward/source benchmarks/analytics.ts [RUNS] [FOLDER]`. Inserts the runs with
 * two tasks each, launched evenly over three years, and prints, for each kind of request, the median and the 95th percentile of 20 requests
 * after 2 to warm the caches, one at a time. With FOLDER the data stays there, to be measured again.
 */
import { must } from '@runward/testing/process';
import { days, startWithRuns } from './many-runs.ts';
import { startDatabase } from './database.ts';

const runs = Number(process.argv[2] ?? 1_000_000);
const requests = 20;
const log = (line: string) => void process.stdout.write(`${line}\n`);

await using stack = new AsyncDisposableStack();
const { postgres, folder } = await startDatabase(process.argv[3], stack);
const databaseUrl = postgres.url('service');
const { api } = await startWithRuns({ runs, tasks: 2, databaseUrl, folder, log }, stack);

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const templateId = (await must(api.call('templates', 'list', { query: { limit: 1 } }))).data[0]?.id ?? '';
const ownerUserId = (await must(api.call('users', 'list', { query: { limit: 1 } }))).data[0]?.id ?? '';
const month = { from: day(30) };
const year = { from: day(365) };
const everything = { from: day(days + 10) };
const measured: Readonly<Record<string, () => Promise<{ total: number }>>> = {
  'summary, 30 days': () => must(api.call('analytics', 'summary', { query: month })),
  'summary, a year': () => must(api.call('analytics', 'summary', { query: year })),
  'summary, all time': () => must(api.call('analytics', 'summary', { query: everything })),
  'summary, all time, one template': () =>
    must(api.call('analytics', 'summary', { query: { ...everything, templateId } })),
  'summary, all time, one owner': () =>
    must(api.call('analytics', 'filtered', { body: { ...everything, filters: { ownerUserIds: [ownerUserId] } } })),
  'advanced, 30 days': () => must(api.call('analytics', 'advanced', { query: month })),
  'advanced, a year': () => must(api.call('analytics', 'advanced', { query: year })),
  'advanced, all time': () => must(api.call('analytics', 'advanced', { query: everything })),
};

log(`\n${'request'.padEnd(34)}${'runs'.padStart(9)}${'p50 ms'.padStart(9)}${'p95 ms'.padStart(9)}`);
for (const [title, request] of Object.entries(measured)) {
  const times: number[] = [];
  let total = 0;
  for (let index = -2; index < requests; index += 1) {
    const start = performance.now();
    ({ total } = await request());
    if (index >= 0) times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? NaN).toFixed(0).padStart(9);
  log(`${title.padEnd(34)}${String(total).padStart(9)}${at(0.5)}${at(0.95)}`);
}
