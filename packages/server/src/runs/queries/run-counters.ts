import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { countedConditions, type RunFilter, type RunScope } from './run-conditions.ts';

/** The filters that the counters know. */
const known: ReadonlySet<string> = new Set<keyof RunFilter>([
  'archived',
  'folderIds',
  'status',
  'statuses',
  'templateId',
  'templateIds',
]);

/** Whether the counters contain the number of runs that match a filter. */
export function areCounted(filter: RunFilter): boolean {
  return Object.entries(filter).every(([name, value]) => value === undefined || known.has(name));
}

/**
 * The counters of the runs in a resource scope that match a filter, as a query (alias `run`) with `count` and
 * `task_count` to be added up. It includes the changes that were not folded yet, so that the sum is exact in the
 * snapshot of its statement.
 */
export function countersOf(db: Kysely<Tables>, actor: RunScope, filter: RunFilter) {
  const { archived = false } = filter;
  const counters = db
    .selectFrom('run_counters')
    .select(['organization_id', 'template_id', 'status', 'archived', 'count', 'task_count'])
    .unionAll(
      db
        .selectFrom('run_counter_changes')
        .select([
          'organization_id',
          'template_id',
          'status',
          'archived',
          'change as count',
          'task_change as task_count',
        ]),
    );
  return db
    .selectFrom(counters.as('run'))
    .where((run) => run.and(countedConditions(actor, filter)))
    .$if(archived !== 'ANY', (query) => query.where('run.archived', '=', archived === true));
}

/** The sum of counters, for a select list. */
export const sumOfCounters = sql<number>`coalesce(sum(run.count), 0)::int`;
