import { activeRunStatuses } from '@runward/engine';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { upTo } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { CountLimit } from '../../paging.ts';
import { countersOf } from './run-counters.ts';
import { areDated, type TaskFilter } from './task-parts.ts';
import { sourcesOf, type TaskSource } from './task-sources.ts';

/**
 * The number of tasks that match, for a statement with the query `page`. Tasks are counted only if neither the counters
 * nor the page contain the number, and then up to `most` + 1. `limit` is the limit of the first page; null for any
 * other page.
 */
export function totalOfTasks(
  db: Kysely<Tables>,
  actor: Actor,
  filter: TaskFilter,
  { limit, most }: { readonly limit: number | null; readonly most: CountLimit },
): RawBuilder<number> {
  const counted =
    most === undefined || areCounted(filter) ? countAll(db, actor, filter) : countSome(db, actor, filter, most);
  if (limit === null || areCounted(filter)) return counted;
  const inPage = sql`(select count(*) from page)`;
  return sql`case when ${inPage} <= ${limit} then ${inPage} else ${counted} end`;
}

/** Whether the counters contain the number of tasks that match a filter: they know only the template. */
export function areCounted({ templateId: _, ...others }: TaskFilter): boolean {
  return Object.values(others).every((value) => value === undefined);
}

function countAll(db: Kysely<Tables>, actor: Actor, filter: TaskFilter): RawBuilder<number> {
  const { overdue, ...others } = filter;
  // Most tasks are not overdue, so the overdue ones are subtracted.
  return overdue === false
    ? sql`${countOf(db, actor, others)} - ${countOf(db, actor, { ...others, overdue: true })}`
    : countOf(db, actor, filter);
}

function countSome(db: Kysely<Tables>, actor: Actor, filter: TaskFilter, most: number): RawBuilder<number> {
  const { sources, overlap } = sourcesOf(db, actor, filter);
  const columns = sql`task.id`;
  if (overlap) {
    // A part has each task once, so more of one part would not be counted.
    const some = ofEachPart(sources, { columns, condition: conditionOf(filter), limit: most + 1 });
    return upTo(sql`select distinct id from (${some}) task`, most);
  }
  const areBoth = filter.overdue === false && !areDated(filter) && !filter.undated;
  // Each condition is a range of the index; together they are not.
  const conditions = areBoth ? [isInRange, isFree] : [conditionOf(filter)];
  const each = conditions.map((condition) => ofEachPart(sources, { columns, condition }));
  return upTo(sql`${sql.join(each, sql` union all `)}`, most);
}

function countOf(db: Kysely<Tables>, actor: Actor, filter: TaskFilter): RawBuilder<number> {
  if (areCounted(filter)) {
    const counters = countersOf(db, actor, { templateId: filter.templateId, statuses: [...activeRunStatuses] });
    return sql`(${counters.select(sql`coalesce(sum(run.task_count), 0)::int`.as('count'))})`;
  }
  const { sources, overlap } = sourcesOf(db, actor, filter);
  return overlap
    ? sql`(select count(distinct id)::int from (${matchingTasks(db, actor, filter)}) task)`
    : sql`(select coalesce(sum(number), 0)::int from (${ofEachPart(sources, { columns: sql`count(*) as number`, condition: conditionOf(filter) })}) part)`;
}

/** All tasks that match, as a query: `id` and `deadline_at`. A task that is in several parts is there several times. */
export function matchingTasks(db: Kysely<Tables>, actor: Actor, filter: TaskFilter): RawBuilder<unknown> {
  const { sources } = sourcesOf(db, actor, filter);
  return ofEachPart(sources, { columns: sql`task.id, task.deadline_at`, condition: conditionOf(filter) });
}

const isInRange = sql`task.deadline_at >= part.first_at and task.deadline_at < part.end_at`;
const isFree = sql`task.deadline_at is null`;

/** The condition on the deadline of a task. */
function conditionOf(filter: TaskFilter): RawBuilder<unknown> {
  return sql.join(
    [sql`true`, ...(areDated(filter) ? [isInRange] : []), ...(filter.undated ? [isFree] : [])],
    sql` and `,
  );
}

/** What to select of each part. `limit` is the most tasks of one part. */
interface Selection {
  readonly columns: RawBuilder<unknown>;
  readonly condition: RawBuilder<unknown>;
  readonly limit?: number;
}

/** The offset keeps PostgreSQL from joining in another order than part by part. */
function ofEachPart(sources: readonly TaskSource[], { columns, condition, limit }: Selection): RawBuilder<unknown> {
  const end = limit === undefined ? sql`offset 0` : sql`limit ${sql.lit(limit)}`;
  const each = sources.map(
    ({ parts, rows, isIn }) => sql`
      select task.* from (${parts}) part
      cross join lateral (select ${columns} from ${rows} where ${isIn} and ${condition} ${end}) task`,
  );
  return sql.join(each, sql` union all `);
}
