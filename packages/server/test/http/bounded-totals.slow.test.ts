import type { Total } from '@runward/contract';
import type { ApiResponse } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { boundedTotal } from '../runs/lists/bounded-total.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { callOf, examplesOf, send } from '../support/sweep/calls.ts';
import { allEndpoints, needsQuery } from '../support/sweep/endpoints.ts';
import { callerOf, newWorld } from '../support/world/world.ts';

const countedItems = 3;
const app = useApp(test, { limits: { countedItems } });

const lists = allEndpoints.filter(({ endpoint: { query } }) => query && 'total' in query.shape);

/** An organization with this many runs titled `Order`, and one of another title. */
async function withRuns(count: number) {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const launch = async (title: string) => launchRun(api, templateId, { title });
  for (let index = 0; index < count; index += 1) await launch(`Order ${index}`);
  await launch('Other');
  const list = async (query: object) => must(api.call('runs', 'list', { query: { search: 'order', ...query } }));
  return { api, launch, list };
}

test('a bounded total is exact and marked as exact up to its limit, and is the limit beyond it', async (t) => {
  // The runs of this organization are not counted.
  await withRuns(countedItems + 2);
  const { launch, list } = await withRuns(countedItems - 1);
  const bounded = { total: 'bounded', limit: 1 };
  t.like(await list(bounded), { total: 2, totalIsExact: true });
  await launch('Order at the limit');
  t.like(await list(bounded), { total: 3, totalIsExact: true });
  await launch('Order beyond');
  t.like(await list(bounded), { total: 3, totalIsExact: false, hasMore: true });
  t.is((await list({ limit: 1 })).total, 4);
});

test('pages beyond a bounded total are reached, and each page may be counted in another way', async (t) => {
  const { list } = await withRuns(7);
  const titles: string[] = [];
  const totals: unknown[] = [];
  let cursor: string | null = null;
  for (let index = 0; index === 0 || cursor !== null; index += 1) {
    const mode = index % 2 === 0 ? 'bounded' : 'exact';
    const page: Awaited<ReturnType<typeof list>> = await list({ limit: 2, total: mode, ...(cursor && { cursor }) });
    titles.push(...page.data.map(({ title }) => title));
    totals.push([page.total, page.totalIsExact, page.hasMore]);
    cursor = page.nextCursor;
  }
  t.deepEqual(
    titles,
    [6, 5, 4, 3, 2, 1, 0].map((number) => `Order ${number}`),
  );
  t.deepEqual(totals, [
    [3, false, true],
    [7, undefined, true],
    [3, false, true],
    [7, undefined, false],
  ]);
});

test('a bounded total beyond its limit is exact if the counters know it, or if one page has all', async (t) => {
  const { api, list } = await withRuns(6);
  const query = { total: 'bounded', limit: 2 } as const;
  const exact = { total: 7, totalIsExact: true };
  t.like(await must(api.call('runs', 'list', { query })), exact);
  t.like(await must(api.call('runs', 'list', { query: { ...query, statuses: ['RUNNING'] } })), exact);
  t.like(await must(api.call('runs.tasks', 'list', { query })), exact);
  t.like(await must(api.call('runs.tasks', 'list', { query: { ...query, status: ['PENDING'] } })), {
    total: 3,
    totalIsExact: false,
  });
  t.like(await list({ total: 'bounded', limit: 6 }), { total: 6, totalIsExact: true, hasMore: false });
});

test('every list that can bound its total has `totalIsExact` only if asked, and rejects another mode', async (t) => {
  await using receiver = await startReceiver();
  const world = await newWorld(app, await newOrganization(app), receiver.url);
  // Otherwise deliveries would change between two requests.
  await app.dispatcher.stop();
  const names: string[] = [];
  for (const each of lists) {
    const [example = {}] = needsQuery(each) ? examplesOf(each) : [];
    const { params, query } = callOf(each, example, world.ids, world);
    const ask = async (more: object) => {
      const call = { params, query: { ...query, limit: '1', ...more }, body: undefined };
      return (await send(callerOf(world, each.endpoint), each, call)) as ApiResponse<Total>;
    };
    const exact = await must(ask({}));
    t.false('totalIsExact' in exact, each.name);
    t.deepEqual(await must(ask({ total: 'exact' })), exact, each.name);
    const { total, totalIsExact, ...others } = await must(ask({ total: 'bounded' }));
    const isKnown = totalIsExact && total > countedItems;
    t.deepEqual({ total, totalIsExact }, boundedTotal(exact.total, isKnown ? Infinity : countedItems), each.name);
    const { total: _, ...page } = exact;
    t.deepEqual(others, page, each.name);
    for (const mode of ['estimated', '', 'BOUNDED']) {
      await isRejected(t, ask({ total: mode }), 400, ['total: must be one of exact, bounded']);
    }
    names.push(each.name);
  }
  t.deepEqual(names.sort(), [
    'auditLog.list',
    'files.list',
    'me.tasks.list',
    'runs.list',
    'runs.tasks.list',
    'savedViews.runs',
    'templates.runs.list',
    'webhooks.deliveries',
    'webhooks.webhookDeliveries',
  ]);
});
