import type { Contract, Response } from '@runward/contract';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { bucketsOf } from './buckets.ts';
import { presentFigures } from './present-figures.ts';
import { countWithBuckets, readCycleTimes, readFigures } from './queries/figures.ts';
import type { Population } from './queries/population.ts';
import { countOverdueTasks } from './queries/tasks.ts';
import { before } from './range.ts';

/** The summary of a population. */
export async function summarize(
  db: Kysely<Tables>,
  population: Population,
): Promise<Response<Contract['analytics']['summary']>> {
  const { scope, range } = population;
  const { timeZone } = scope;
  const buckets = bucketsOf(range, 'DAY', timeZone);
  const { counts, ...counted } = await countWithBuckets(db, population, buckets);
  const started = new Map(counted.started.map(({ key, count }) => [key, count]));
  const completed = new Map(counted.completed.map(({ key, count }) => [key, count]));
  const { byStatus: _, ...previous } = presentFigures(await readFigures(db, { ...population, range: before(range) }));
  return {
    range: { ...range, timeZone },
    ...presentFigures({ ...counts, ...(await readCycleTimes(db, population)) }),
    overdueTasks: await countOverdueTasks(db, population),
    perDay: buckets.keys.map((date, index) => ({
      date,
      started: started.get(index + 1) ?? 0,
      completed: completed.get(index + 1) ?? 0,
    })),
    previous,
  };
}
