import { contract } from '@runward/contract';
import { createRandom, type Random } from '@runward/testing/random';
import { baselineReady, writeBaseline } from '../baseline/callers.ts';
import { compare } from '../harness/compare.ts';
import type { Part } from '../harness/part.ts';
import { startServer } from '../harness/server-process.ts';
import { startRunward } from '../harness/service.ts';
import type { Step } from '../load/mixed-work.ts';
import { seedManyCallers, type ManyCallers, type Owned } from '../seed/many-callers.ts';
import { answersFor } from '../seed/template.ts';

const day = 86_400_000;

/**
 * What installations have: 200 organizations with 1,000 keys read 100,000 runs, few of them often (Zipf's law), with 20
 * different lists, launches, forms, readers of the feed, and deliveries at the same time.
 */
export const mixed: Part = {
  name: 'mixed',
  needs: 'nothing',
  measure: async (bench) => {
    const { postgres, folder, profile, stack, log } = bench;
    log('Filling a database with 200 organizations ...');
    const seeded = await seedManyCallers(bench, profile.isQuick ? 20_000 : 100_000);
    const databaseUrl = postgres.url('mixed');
    const service = stack.use(await startRunward({ ...bench, databaseUrl, mode: 'production' }));
    const { callers, taskIds } = seeded;
    const baseline = stack.use(
      await startServer(
        'benchmarks/baseline/server.ts',
        {
          args: [await writeBaseline(folder, 'mixed-baseline', { callers, taskIds })],
          env: { DATABASE_URL: postgres.url('mixed_baseline'), NODE_ENV: 'production' },
          cwd: folder,
        },
        baselineReady,
      ),
    );
    const newSteps = stepsOf(seeded);
    const before = await cacheUse(service.url);
    const comparison = await compare(
      { ...bench, databaseUrl },
      { service, baseline },
      {
        name: '200 organizations: reads, lists, launches, forms, feed',
        unit: 'req/s',
        aim: 0.5,
        job: (url, phase, round) => ({
          kind: 'mixed',
          url,
          steps: newSteps(phase, round, profile.flows * (phase === 'round' ? 10 : 2)),
        }),
      },
    );
    const after = await cacheUse(service.url);
    const [hits, misses] = [after.hits - before.hits, after.misses - before.misses];
    const figure = { name: 'mixed: requests for a run that found it known, %', max: (100 * hits) / (hits + misses) };
    return { comparisons: [comparison], figures: [figure] };
  },
};

/** Chooses the steps of a phase of a round. Both targets get the same, and no form is filled in twice. */
function stepsOf(seeded: ManyCallers) {
  const {
    keys,
    forms,
    runs,
    templateIds: [templateId],
  } = seeded;
  const { shuffle } = createRandom(1, 'order');
  const popular = shuffle(runs);
  const unopened = shuffle(forms);
  const read = zipf(popular);
  const lists = listsOf(seeded);
  const organizations = [...keys.keys()] as [string, ...string[]];
  const known = new Map<string, readonly Step[]>();
  const keyOf = (organizationId: string, { pick }: Random) => {
    const [first = '', ...others] = keys.get(organizationId) ?? [];
    return pick([first, ...others]);
  };

  const choose = (random: Random): Step => {
    const kind = random.next();
    if (kind < 0.05) {
      const form = unopened.pop();
      if (!form) throw new Error('There are too few forms; seed more runs.');
      const values = answersFor(form.fieldIds);
      return { apiKey: keyOf(form.organizationId, random), runTaskId: form.id, values };
    }
    if (kind < 0.6) {
      const { id, organizationId } = read(random);
      const path = contract.runs.get.path.replace(':id', id);
      return { apiKey: keyOf(organizationId, random), method: 'GET', path };
    }
    const apiKey = keyOf(random.pick(organizations), random);
    if (kind < 0.8) return { apiKey, method: 'GET', path: `${contract.runs.list.path}?${random.pick(lists)}` };
    if (kind < 0.9) return { apiKey, method: 'POST', path: contract.runs.launch.path, body: { templateId } };
    return { apiKey, method: 'GET', path: `${contract.events.list.path}?limit=50` };
  };

  return (phase: 'warm-up' | 'round', round: number, count: number): readonly Step[] => {
    const name = `${phase} ${round}`;
    const steps = known.get(name) ?? Array.from({ length: count }, choose.bind(null, createRandom(1, name)));
    known.set(name, steps);
    return steps;
  };
}

/** Chooses the first item most often, the second half as often, the third a third as often, and so on. */
function zipf(items: readonly Owned[]): (random: Random) => Owned {
  let sum = 0;
  const sums = Float64Array.from(items, (_, index) => (sum += 1 / (index + 1)));
  return ({ next }) => {
    const sought = next() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < sought) low = middle + 1;
      else high = middle;
    }
    const found = items[low];
    if (!found) throw new Error('There are no runs.');
    return found;
  };
}

/** The queries of 20 lists. */
function listsOf({ templateIds: [one = '', two = '', three = ''], memberIds: [owner = '', other = ''] }: ManyCallers) {
  const before = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);
  return [
    '',
    'limit=20',
    'sort=title',
    'archived=true',
    'statuses=RUNNING',
    'statuses=OVERDUE',
    'statuses=RUNNING,OVERDUE',
    'statuses=COMPLETED',
    'statuses=CANCELLED',
    `templateIds=${one}`,
    `templateIds=${two}`,
    `templateIds=${one},${three}`,
    `templateIds=${two}&statuses=RUNNING`,
    `ownerUserIds=${owner}`,
    `ownerUserIds=${other}`,
    `ownerUserIds=${owner}&statuses=OVERDUE`,
    `createdFrom=${before(90)}`,
    `createdFrom=${before(400)}&createdTo=${before(370)}`,
    'search=number 12',
    'search=number 3&statuses=COMPLETED',
  ] as const;
}

/** How often the cache of runs was asked, by what it had. */
async function cacheUse(url: string): Promise<{ readonly hits: number; readonly misses: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string) => Number(new RegExp(`^${name}\\{cache="runs"\\} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  return { hits: valueOf('cache_hits_total'), misses: valueOf('cache_misses_total') };
}
