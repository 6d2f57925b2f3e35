import type { RunSort } from '@runward/contract';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** The order of a list of runs. Runs with equal values are ordered by id. */
export interface RunOrder {
  readonly property: 'createdAt' | 'updatedAt' | 'scheduledDateLocal' | 'title';
  readonly isDescending: boolean;
}

/** The last run of a page: its id, and its value for the order unless the order is `createdAt`. */
export interface RunKey {
  readonly id: string;
  readonly value: string | null;
}

/** The requested order: newest first, or with `updatedAfter` in the order of the changes. */
export function orderOf({
  sort,
  updatedAfter,
}: {
  readonly sort?: RunSort | undefined;
  readonly updatedAfter?: string | undefined;
}): RunOrder {
  const asked = sort ?? (updatedAfter === undefined ? '-createdAt' : 'updatedAt');
  const isDescending = asked.startsWith('-');
  return { property: (isDescending ? asked.slice(1) : asked) as RunOrder['property'], isDescending };
}

/** A query over runs (alias `run`). */
export type Runs = SelectQueryBuilder<Tables & { run: Tables['runs'] }, 'run', unknown>;

/**
 * The expression by which runs are ordered, or the same of a key's value. Ids grow with `createdAt`, so that order
 * needs nothing else.
 */
const sortedBy: Readonly<Record<Exclude<RunOrder['property'], 'createdAt'>, (value?: string) => RawBuilder<unknown>>> =
  {
    updatedAt: (value) => (value === undefined ? sql`change.at` : sql`${value}::timestamptz`),
    scheduledDateLocal: (value) => (value === undefined ? sql`run.scheduled_date_local` : sql`${value}::date`),
    title: (value) => (value === undefined ? sql`lower(run.title)` : sql`lower(${value})`),
  };

/** Orders runs, and excludes runs up to a key. The order `updatedAt` needs the runs with their last changes. */
export function inOrder(runs: Runs, { property, isDescending }: RunOrder, after: RunKey | undefined): Runs {
  const direction = isDescending ? 'desc' : 'asc';
  const follows = isDescending ? '<' : '>';
  if (property === 'createdAt') {
    return (after === undefined ? runs : runs.where('run.id', follows, after.id)).orderBy('run.id', direction);
  }
  const by = sortedBy[property];
  const id = property === 'updatedAt' ? sql`change.run_id` : sql`run.id`;
  const rest =
    after === undefined
      ? runs
      : runs.where(sql<SqlBool>`(${by()}, ${id}) ${sql.raw(follows)} (${by(after.value ?? '')}, ${after.id}::uuid)`);
  return rest.orderBy(by(), direction).orderBy(id, direction);
}
