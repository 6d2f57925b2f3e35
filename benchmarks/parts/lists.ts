import type { Api } from '@runward/testing/api';
import { percentile } from '@runward/testing/measuring/percentile';
import { must } from '@runward/testing/process';
import type { Figure, Part } from '../harness/part.ts';
import { timed } from '../harness/times.ts';
import { startOn } from '../seed/many-runs.ts';

const few = 1_000;
const warmUp = 10;

/** A list or a count. */
type Request = (api: Api, templateId: string) => Promise<{ total: number }>;

const list = (api: Api, query: object) => must(api.call('runs', 'list', { query: { limit: 50, ...query } }));
const measured: Readonly<Record<string, Request>> = {
  list: (api) => list(api, {}),
  'list, 200 per page': (api) => list(api, { limit: 200 }),
  'list, status RUNNING': (api) => list(api, { statuses: ['RUNNING'] }),
  'list, one template': (api, templateId) => list(api, { templateId }),
  'list, one template, RUNNING': (api, templateId) => list(api, { templateId, statuses: ['RUNNING'] }),
  'list, archived': (api) => list(api, { archived: true }),
  'list, second page': async (api) => list(api, { cursor: (await list(api, {})).nextCursor ?? '' }),
  counts: (api) => must(api.call('runs', 'counts')),
  'counts, one template': (api, templateId) => must(api.call('runs', 'counts', { query: { templateId } })),
  'preview, RUNNING': (api) =>
    must(api.call('savedViews', 'preview', { body: { filters: { statuses: ['RUNNING'] } } })),
};

/**
 * Compares lists and counts based on the counters (decision 0043) between many runs and few. The ratio is between their
 * 95th percentiles; the two alternate.
 */
export const lists: Part = {
  name: 'lists',
  needs: 'nothing',
  measure: async (bench) => {
    const { api: small } = await startOn(bench, 'few_runs', { runs: few, tasks: 0 });
    const { api: large } = await startOn(bench, 'many_runs', { runs: bench.runs, tasks: 0 });
    const sides = [
      { api: small, templateId: await templateOf(small) },
      { api: large, templateId: await templateOf(large) },
    ];
    const figures: Figure[] = [];
    for (const [title, request] of Object.entries(measured)) {
      const times = sides.map((): number[] => []);
      for (let index = -warmUp; index < (bench.profile.isQuick ? 50 : 300); index += 1) {
        for (const [side, { api, templateId }] of sides.entries()) {
          const { ms } = await timed(() => request(api, templateId));
          if (index >= 0) times[side]?.push(ms);
        }
      }
      const [one = NaN, other = NaN] = times.map((each) => percentile(each, 0.95));
      figures.push({ name: `${title}: ${bench.runs} runs / ${few} runs, p95`, max: other / one, aim: '<= 1.5' });
    }
    return { figures };
  },
};

async function templateOf(api: Api): Promise<string> {
  return (await must(api.call('templates', 'list', { query: { limit: 1 } }))).data[0]?.id ?? '';
}
