import type { Contract, Response } from '@runward/contract';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { bucketsOf } from './buckets.ts';
import { presentFigures } from './present-figures.ts';
import { countBy, readFigures, type Counts, type Part } from './queries/figures.ts';
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
  const started = numbersBy(await countBy(db, population, { by: 'createdAt', buckets }), 'total');
  const completed = numbersBy(await countBy(db, population, { by: 'completedAt', buckets }), 'COMPLETED');
  const { byStatus: _, ...previous } = presentFigures(await readFigures(db, { ...population, range: before(range) }));
  return {
    range: { ...range, timeZone },
    ...presentFigures(await readFigures(db, population)),
    overdueTasks: await countOverdueTasks(db, population),
    perDay: buckets.keys.map((date, index) => ({
      date,
      started: started.get(index + 1) ?? 0,
      completed: completed.get(index + 1) ?? 0,
    })),
    previous,
  };
}

function numbersBy(parts: readonly (Part & Counts)[], name: keyof Counts) {
  return new Map(parts.map(({ key, [name]: number }) => [key, number]));
}
