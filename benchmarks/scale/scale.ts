import { setTimeout as pause } from 'node:timers/promises';
import { apiOf } from '@runward/testing/api';
import { Client } from 'pg';
import type { Bench, Figure, Part } from '../harness/part.ts';
import { lineOf } from '../harness/report.ts';
import { startRunward } from '../harness/service.ts';
import { timeEach, timed } from '../harness/times.ts';
import { watchMemory } from '../harness/usage.ts';
import { figuresOf, measureDetection, watch } from '../parts/detection.ts';
import { seedManyRuns, type Amount } from '../seed/many-runs.ts';
import { copyOrganization, makeDue } from './many-organizations.ts';
import { readIds, requestsOf } from './requests.ts';

const runsOfEach = 100;

/** A large database, and its figures. */
interface Large extends Bench {
  readonly databaseUrl: string;
  readonly client: Client;
  readonly apiKey: string;
  /** Adds figures to the report, and writes them as progress. */
  add(...figures: readonly Figure[]): void;
}

/**
 * Measures a large installation. One database has an organization with `--runs` runs of ten tasks. The other has a
 * hundredth as many organizations, each with 100 runs of two tasks. With `--folder` the data stays there, to be
 * measured again.
 */
export const scale: Part = {
  name: 'scale',
  needs: 'nothing',
  measure: async (bench) => {
    const figures: Figure[] = [];
    const one = await open(bench, 'one_organization', { runs: bench.runs, tasks: 10 }, figures);
    await measureService(one);
    one.add(...(await measureDetection(one, await readIds(one.client), bench.profile.isQuick ? 2_000 : 10_000)));

    const many = await open(bench, 'many_organizations', { runs: runsOfEach, tasks: 2 }, figures);
    const { client } = many;
    const organizations = Math.max(2, Math.round(bench.runs / runsOfEach));
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from organizations');
    if (rows[0]?.count === 1) await copyOrganization(client, organizations);
    await measureService(many, async () => {
      const deadline = await makeDue(client);
      await pause(Math.max(0, deadline.getTime() - Date.now()));
      const detected = await watch(client, deadline, organizations);
      many.add(...figuresOf(`deadline of ${organizations} tasks, one each, to activity`, detected));
    });
    return { figures };
  },
};

/** Seeds a database, unless it was seeded before. */
async function open(bench: Bench, database: string, amount: Amount, figures: Figure[]): Promise<Large> {
  const { apiKey } = await seedManyRuns(bench, database, amount);
  const databaseUrl = bench.postgres.url(database);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  bench.stack.defer(() => client.end());
  await client.query('create extension if not exists tsm_system_rows');
  const add: Large['add'] = (...added) => {
    for (const figure of added) {
      const named = { ...figure, name: `${database}: ${figure.name}` };
      figures.push(named);
      bench.log(lineOf(named));
    }
  };
  return { ...bench, databaseUrl, client, apiKey, add };
}

/**
 * Measures the start of the service, its requests one at a time, and its memory. The caller may measure more while it
 * runs.
 */
async function measureService(large: Large, also = async () => {}): Promise<void> {
  const { client, apiKey, profile, add } = large;
  const vacuum = await timed(() => client.query('vacuum (analyze)'));
  add({ name: 'vacuum (analyze), s', max: vacuum.ms / 1_000 });
  const ids = await readIds(client);
  const start = await timed(() => startRunward({ ...large, mode: 'production' }));
  await using service = start.result;
  add({ name: 'start until ready, s', max: start.ms / 1_000 });
  const memory = watchMemory(service.pid);
  for (const [title, request] of Object.entries(requestsOf(apiOf(service.url, apiKey), ids))) {
    add({ name: `${title}, ms`, ...(await timeEach(profile.isQuick ? 20 : 100, request)) });
  }
  await also();
  add({ name: 'memory of the service, MB', max: await memory.stop(), aim: '< 250' });
}
