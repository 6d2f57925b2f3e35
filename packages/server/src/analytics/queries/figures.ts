import { runStatuses, type RunStatus } from '@runward/contract';
import { sql, type Kysely } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { countAs, countIf } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { Buckets } from '../buckets.ts';
import { keyOf, runsOf, type Division, type Population, type Runs } from './population.ts';
import { quantilesIf, quantilesIn, type Quantiles } from './quantiles.ts';

/** Numbers of runs. `onTime` is the number of completed runs that were never OVERDUE. */
export interface Counts extends Readonly<Record<RunStatus, number>> {
  readonly total: number;
  readonly onTime: number;
}

/** How many seconds completed runs took: the mean, the median and the 90th percentile. Null if there are none. */
export interface CycleTime {
  readonly average: number | null;
  readonly quantiles: Quantiles;
}

/** A part of a population by its key (see `keyOf`). */
export interface Part {
  readonly key: string | number | null;
}

/** A number of runs in a part of a population. */
export interface CountOf extends Part {
  readonly count: number;
}

/** The definition of each number of runs. */
const countColumns = [
  countAs('total'),
  countIf(`run.status = 'RUNNING'`).as('RUNNING'),
  countIf(`run.status = 'OVERDUE'`).as('OVERDUE'),
  countIf(`run.status = 'COMPLETED'`).as('COMPLETED'),
  countIf(`run.status = 'CANCELLED'`).as('CANCELLED'),
  countIf(`run.status = 'COMPLETED' and run.first_overdue_at is null`).as('onTime'),
] as const;

const numbers = ['total', ...runStatuses, 'onTime'] as const;

/** The clocks of two processes can differ, so that a run may seem to end before it begins. */
const cycleSeconds = sql<number>`greatest(0, date_part('epoch', run.completed_at - run.created_at))`;
const isCompleted = `run.status = 'COMPLETED'`;
const average = sql<number | null>`avg(run.seconds) filter (where ${sql.raw(isCompleted)})`.as('average');

/**
 * The rows from which figures of runs are computed (alias `run`). Without the barrier `offset 0`, every figure would
 * compute the cycle times again.
 */
function measured(db: Kysely<Tables>, runs: Runs, division: Division = 'NONE') {
  const columns = [
    keyOf(division).as('key'),
    'run.status',
    'run.first_overdue_at',
    cycleSeconds.as('seconds'),
  ] as const;
  return db.selectFrom(
    runs
      .select([...columns])
      .offset(sql<number>`0`)
      .as('run'),
  );
}

/** The figures of a population. */
export async function readFigures(db: Kysely<Tables>, population: Population): Promise<Counts & CycleTime> {
  return measured(db, runsOf(db, population))
    .select([...countColumns, average, quantilesIf('run.seconds', isCompleted).as('quantiles')])
    .executeTakeFirstOrThrow();
}

/** The numbers of a population, and of runs launched and completed in each bucket. Buckets are numbered from 1. */
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

/** The figures of each part of a population that has runs. Parts with the most runs come first. */
export async function readFiguresBy(
  db: Kysely<Tables>,
  population: Population,
  division: Division,
  limit?: number,
): Promise<(Part & Counts & CycleTime)[]> {
  const seconds = sql<readonly number[]>`array_agg(run.seconds) filter (where ${sql.raw(isCompleted)})`.as('seconds');
  const parts = measured(db, runsOf(db, population), division)
    .select(['run.key', ...countColumns, average, seconds])
    .groupBy('run.key')
    .orderBy('total', 'desc')
    .orderBy('key');
  return db
    .selectFrom((limit === undefined ? parts : parts.limit(limit)).as('part'))
    .select(['key', ...numbers, 'average', quantilesIn('part.seconds').as('quantiles')])
    .orderBy('total', 'desc')
    .orderBy('key')
    .execute();
}

/** All numbers of a summary. Each run is read once, and is counted in both of its buckets. */
export async function countWithBuckets(db: Kysely<Tables>, population: Population, buckets: Buckets): Promise<Counted> {
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
  return measured(db, runsOf(db, population).where('run.status', '=', 'COMPLETED'))
    .select([average, quantilesIf('run.seconds', isCompleted).as('quantiles')])
    .executeTakeFirstOrThrow();
}
