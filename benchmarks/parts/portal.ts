import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';
import type { Part } from '../harness/part.ts';
import { download, spread, timed } from '../harness/times.ts';
import { startOn } from '../seed/many-runs.ts';

type Blocks = BodyInput<Contract['portals.pages']['setBlocks']>['blocks'];
type Report = NonNullable<Extract<Blocks[number], { type: 'REPORT' }>['report']>;

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

/**
 * The page of a portal with ten blocks of live data: rendered anew, and from the cache, which keeps it for five
 * seconds.
 */
export const portal: Part = {
  name: 'portal',
  needs: 'nothing',
  measure: async (bench) => {
    const { isQuick, seconds } = bench.profile;
    const runs = isQuick ? 20_000 : 100_000;
    const { service, api } = await startOn(bench, 'portal', { runs, tasks: 2 });
    const { portalId, slug } = await publishPortal(api);
    const path = `/p/${slug}`;
    const times: number[] = [];
    for (let index = -2; index < (isQuick ? 10 : 40); index += 1) {
      // Every change makes a new revision of the portal, which invalidates its cached pages.
      const body = { description: `Round ${index}` };
      await must(api.call('portals', 'update', { params: { portalId }, body }));
      const { ms } = await timed(() => download(service.url + path));
      if (index >= 0) times.push(ms);
    }
    const requests = [{ method: 'GET', path }];
    const kept = await bench.load.measure({ kind: 'requests', url: service.url, headers: {}, requests, seconds });
    // Waits for the last rendering that the load has started.
    await download(service.url + path);
    return {
      figures: [
        { name: `portal page over ${runs} runs, rendered, ms`, ...spread(times), aim: 'p95 <= 100' },
        { name: 'portal page that is kept, req/s', max: kept.milliseconds.length / kept.seconds, aim: '>= 300' },
      ],
    };
  },
};

async function publishPortal(api: Api): Promise<{ portalId: string; slug: string }> {
  const templates = await must(api.call('templates', 'list', { query: { limit: 1 } }));
  const templateIds = templates.data.map(({ id }) => id);
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
  await must(api.call('portals.pages', 'setBlocks', { params: { portalId, pageId }, body: { blocks } }));
  await must(api.call('portals', 'publish', { params: { portalId } }));
  return { portalId, slug };
}
