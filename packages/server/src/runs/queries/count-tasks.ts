import { activeRunStatuses } from '@runward/engine';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Tables } from '../../database/tables.ts';
import { countersOf } from './run-counters.ts';
import { areDated, type TaskFilter } from './task-parts.ts';
import { sourcesOf, type TaskSource } from './task-sources.ts';

/** Whether the counters can answer for a filter, by its property. A property that is not set does not matter. */
const areKnown: Readonly<Record<keyof TaskFilter, boolean>> = {
  templateId: true,
  assigneeGroupId: false,
  assigneeId: false,
  dueAfter: false,
  dueBefore: false,
  mine: false,
  overdue: false,
  runId: false,
  status: false,
  undated: false,
  values: false,
};

/**
 * The number of tasks that match, for a statement with the query `page`. Tasks are counted only if neither the counters
 * nor the page contain the number. `limit` is the limit of the first page; null for any other page.
 */
export function totalOfTasks(
  db: Kysely<Tables>,
  actor: Actor,
  filter: TaskFilter,
  limit: number | null,
): RawBuilder<number> {
  const { overdue, ...others } = filter;
  // Most tasks are not overdue, so the overdue ones are subtracted.
  const counted =
    overdue === false
      ? sql<number>`${countOf(db, actor, others)} - ${countOf(db, actor, { ...others, overdue: true })}`
      : countOf(db, actor, filter);
  if (limit === null || areCounted(filter)) return counted;
  const inPage = sql`(select count(*) from page)`;
  return sql`case when ${inPage} <= ${limit} then ${inPage} else ${counted} end`;
}

function areCounted(filter: TaskFilter): boolean {
  return Object.entries(filter).every(([name, value]) => value === undefined || areKnown[name as keyof TaskFilter]);
}

function countOf(db: Kysely<Tables>, actor: Actor, filter: TaskFilter): RawBuilder<number> {
  if (areCounted(filter)) {
    const counters = countersOf(db, actor, { templateId: filter.templateId, statuses: [...activeRunStatuses] });
    return sql`(${counters.select(sql`coalesce(sum(run.task_count), 0)::int`.as('count'))})`;
  }
  const { sources, overlap } = sourcesOf(db, actor, filter);
  return overlap
    ? sql`(select count(distinct id)::int from (${matchingTasks(db, actor, filter)}) task)`
    : sql`(select coalesce(sum(number), 0)::int from (${ofEachPart(filter, sources, sql`count(*) as number`)}) part)`;
}

/** All tasks that match, as a query: `id` and `deadline_at`. A task that is in several parts is there several times. */
export function matchingTasks(db: Kysely<Tables>, actor: Actor, filter: TaskFilter): RawBuilder<unknown> {
  return ofEachPart(filter, sourcesOf(db, actor, filter).sources, sql`task.id, task.deadline_at`);
}

/** The offset keeps PostgreSQL from joining in another order than part by part. */
function ofEachPart(filter: TaskFilter, sources: readonly TaskSource[], columns: RawBuilder<unknown>) {
  const isDue = areDated(filter)
    ? sql`and task.deadline_at >= part.first_at and task.deadline_at < part.end_at`
    : sql``;
  const isFree = filter.undated ? sql`and task.deadline_at is null` : sql``;
  const each = sources.map(
    ({ parts, rows, isIn }) => sql`
      select task.* from (${parts}) part
      cross join lateral (select ${columns} from ${rows} where ${isIn} ${isDue} ${isFree} offset 0) task`,
  );
  return sql.join(each, sql` union all `);
}
