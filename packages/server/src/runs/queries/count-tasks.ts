import { activeRunStatuses } from '@runward/engine';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Tables } from '../../database/tables.ts';
import { countersOf } from './run-counters.ts';
import { areDated, isInPart, partsOf, type TaskFilter } from './task-parts.ts';

/** Whether the counters can answer for a filter, by its property. A property that is not set does not matter. */
const areKnown: Readonly<Record<keyof TaskFilter, boolean>> = {
  templateId: true,
  assigneeGroupId: false,
  assigneeId: false,
  dueAfter: false,
  dueBefore: false,
  overdue: false,
  runId: false,
  status: false,
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
  const isDue = areDated(filter)
    ? sql`and task.deadline_at >= part.first_at and task.deadline_at < part.end_at`
    : sql``;
  return sql`(
    select coalesce(sum(counted.number), 0)::int from (${partsOf(db, actor, filter)}) part
    cross join lateral (select count(*) as number from run_tasks task where ${isInPart(actor, filter)} ${isDue}) counted)`;
}
