import type { RunStatus } from '@runward/contract';
import { sql, type Kysely } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { countAs, countIf } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { Buckets } from '../buckets.ts';
import { keyOf, runsOf, type Division, type Population } from './population.ts';

/** Numbers of runs. `onTime`: completed ones that were never OVERDUE. */
export interface Counts extends Readonly<Record<RunStatus, number>> {
  readonly total: number;
  readonly onTime: number;
}

/** How many seconds completed runs took: the mean, and the median and the 90th percentile. Null without any. */
export interface CycleTime {
  readonly average: number | null;
  readonly quantiles: readonly number[] | null;
}

/** A part of a population by its key (see `keyOf`). */
export interface Part {
  readonly key: string | number | null;
}

/** A number of runs in a part of a population. */
export interface CountOf extends Part {
  readonly count: number;
}

/** The definition of every number of runs. */
const countColumns = [
  countAs('total'),
  countIf(`run.status = 'RUNNING'`).as('RUNNING'),
  countIf(`run.status = 'OVERDUE'`).as('OVERDUE'),
  countIf(`run.status = 'COMPLETED'`).as('COMPLETED'),
  countIf(`run.status = 'CANCELLED'`).as('CANCELLED'),
  countIf(`run.status = 'COMPLETED' and run.first_overdue_at is null`).as('onTime'),
] as const;

/** The clocks of two processes can differ, so that a run seems to end before it begins. */
const cycleSeconds = sql`greatest(0, date_part('epoch', run.completed_at - run.created_at))`;

/** The definition of every cycle time. */
const cycleColumns = [
  sql<number | null>`avg(${cycleSeconds}) filter (where run.status = 'COMPLETED')`.as('average'),
  sql<
    readonly number[] | null
  >`percentile_cont(array[0.5, 0.9]) within group (order by ${cycleSeconds}) filter (where run.status = 'COMPLETED')`.as(
    'quantiles',
  ),
] as const;

/** The figures of a population. */
export async function readFigures(db: Kysely<Tables>, population: Population): Promise<Counts & CycleTime> {
  return runsOf(db, population)
    .select([...countColumns, ...cycleColumns])
    .executeTakeFirstOrThrow();
}

/** The numbers of a population, and those of runs launched and completed in each bucket by its number from 1. */
export interface Counted {
  readonly counts: Counts;
  readonly started: readonly CountOf[];
  readonly completed: readonly CountOf[];
}

/** The numbers of runs of each part of a population that has runs. */
export async function countBy(
  db: Kysely<Tables>,
  population: Population,
  division: Division,
): Promise<(Part & Counts)[]> {
  return runsOf(db, population)
    .select([keyOf(division).as('key'), ...countColumns])
    .groupBy('key')
    .execute();
}

/** The figures of each part of a population that has runs: those with most runs first. */
export async function readFiguresBy(
  db: Kysely<Tables>,
  population: Population,
  division: Division,
  limit?: number,
): Promise<(Part & Counts & CycleTime)[]> {
  const parts = runsOf(db, population)
    .select([keyOf(division).as('key'), ...countColumns, ...cycleColumns])
    .groupBy('key')
    .orderBy('total', 'desc')
    .orderBy('key');
  return (limit === undefined ? parts : parts.limit(limit)).execute();
}

/** All numbers of a summary. The runs are read once, and counted by both buckets that they are in. */
export async function countWithBuckets(db: Kysely<Tables>, population: Population, buckets: Buckets): Promise<Counted> {
  const numbers = ['total', 'RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED', 'onTime'] as const;
  const sumOf = (name: (typeof numbers)[number]) => sql<number>`coalesce(sum(${sql.ref(name)}), 0)`;
  return db
    .with(
      (cte) => cte('part').materialized(),
      () =>
        runsOf(db, population)
          .select([
            keyOf({ by: 'createdAt', buckets }).as('started'),
            keyOf({ by: 'completedAt', buckets }).as('ended'),
            ...countColumns,
          ])
          .groupBy(['started', 'ended']),
    )
    .selectNoFrom((eb) => [
      jsonObjectFrom(eb.selectFrom('part').select(numbers.map((name) => sumOf(name).as(name))))
        .$castTo<Counts>()
        .as('counts'),
      jsonArrayFrom(
        eb
          .selectFrom('part')
          .select(['started as key', sumOf('total').as('count')])
          .groupBy('started'),
      ).as('started'),
      jsonArrayFrom(
        eb
          .selectFrom('part')
          .select(['ended as key', sumOf('COMPLETED').as('count')])
          .groupBy('ended'),
      ).as('completed'),
    ])
    .executeTakeFirstOrThrow();
}

/** The cycle times of a population. */
export async function readCycleTimes(db: Kysely<Tables>, population: Population): Promise<CycleTime> {
  return runsOf(db, population)
    .where('run.status', '=', 'COMPLETED')
    .select([...cycleColumns])
    .executeTakeFirstOrThrow();
}
