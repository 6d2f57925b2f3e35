import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { calendarOf } from '../../calendar.ts';
import type { Tables } from '../../database/tables.ts';
import { firstIdOf } from '../../ids.ts';
import { runConditions, type RunFilter, type RunScope } from '../../runs/queries/run-conditions.ts';
import type { Buckets } from '../buckets.ts';
import { addDays, type Range } from '../range.ts';

/** The runs that figures are about: runs that were launched in a period and match filters. */
export interface Population {
  readonly scope: RunScope;
  readonly filter: RunFilter;
  readonly range: Range;
}

/** The runs of a population as a query (alias `run`). */
export type Runs = SelectQueryBuilder<Tables & { run: Tables['runs'] }, 'run', object>;

/**
 * The runs of a population, including archived ones unless the filter excludes them. The id of a run contains its
 * `createdAt`, so the period is a range of the primary key.
 */
export function runsOf(db: Kysely<Tables>, population: Population): Runs {
  const { scope, filter } = population;
  const { first, end } = runIdsOf(population);
  return db
    .selectFrom('runs as run')
    .where(runConditions(scope, { ...filter, archived: filter.archived ?? 'ANY' }))
    .where('run.id', '>=', first)
    .where('run.id', '<', end);
}

/** The range of the ids of runs that were launched in the period, without `end`. */
export function runIdsOf({ scope, range }: Pick<Population, 'scope' | 'range'>): { first: string; end: string } {
  const { startOfDay } = calendarOf(scope.timeZone);
  const firstIdAt = (date: string) => firstIdOf(new Date(Math.max(0, Date.parse(startOfDay(date)))));
  return { first: firstIdAt(range.from), end: firstIdAt(addDays(range.to, 1)) };
}

/** The parts for which figures are computed separately. */
export type Division =
  | 'NONE'
  | 'STATUS'
  | 'TEMPLATE'
  | 'OWNER'
  | { readonly by: 'createdAt' | 'completedAt'; readonly buckets: Buckets };

/**
 * The key of a part as SQL. The key of a bucket is its number from 1. A key that is 0 or less, or higher than the last
 * number, or null, belongs to no bucket.
 */
export function keyOf(division: Division): RawBuilder<string | number | null> {
  if (division === 'NONE') return sql`'ALL'::text`;
  if (division === 'STATUS') return sql`run.status`;
  if (division === 'TEMPLATE') return sql`run.template_id`;
  if (division === 'OWNER') return sql`run.owner_user_id`;
  const at = sql.ref(division.by === 'createdAt' ? 'run.created_at' : 'run.completed_at');
  return sql`width_bucket(${at}, ${division.buckets.starts}::timestamptz[])`;
}
