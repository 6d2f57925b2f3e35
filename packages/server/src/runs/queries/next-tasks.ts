import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Tables } from '../../database/tables.ts';
import { areDated, type TaskFilter } from './task-parts.ts';
import { sourcesOf, type TaskSources } from './task-sources.ts';

/** The last task of a page. */
export interface TaskKey {
  readonly id: string;
  readonly deadlineAt: string | null;
}

/** Which tasks to read: how many, and after which task. */
interface Next {
  readonly count: number;
  readonly after: TaskKey | undefined;
}

/**
 * The next tasks of a list as a query with `id` and `deadline_at`. The earliest deadline comes first, and tasks without
 * a deadline come last. The query merges the parts of the list, so that it reads about as many index entries as it
 * returns tasks, however many tasks there are (decision 0053).
 */
export function nextTasks(
  db: Kysely<Tables>,
  actor: Actor,
  filter: TaskFilter,
  next: Next,
): RawBuilder<{ id: string }> {
  const { count, after } = next;
  const from = sourcesOf(db, actor, filter);
  const merged = { ...from, count };
  const hasDated = after?.deadlineAt !== null && !filter.undated;
  const key = sql`(${after?.deadlineAt ?? null}::timestamptz, ${after?.id ?? null}::uuid)`;
  const dated = merge('dated', {
    ...merged,
    column: 'deadline_at',
    highest: 'infinity',
    condition: sql`task.deadline_at >= part.first_at and task.deadline_at < part.end_at
      ${after === undefined ? sql`` : sql`and (task.deadline_at, task.id) > ${key}`}`,
  });
  // These are read only if the tasks with a deadline do not fill the page.
  const free = merge('free', {
    ...merged,
    column: 'id',
    highest: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    condition: sql`task.deadline_at is null ${after?.deadlineAt === null ? sql`and task.id > ${after.id}` : sql``}
      ${hasDated ? sql`and (select count(*) from dated) < ${count}` : sql``}`,
  });
  const hasFree = !areDated(filter);
  const lists = [...(hasDated ? ['dated'] : []), ...(hasFree ? ['free'] : [])];
  return sql`(
    with ${sql.join(from.sources.map(({ parts }, index) => sql`${partsAt(index)} as materialized (${parts})`))}
    ${hasDated ? sql`, ${dated}` : sql``} ${hasFree ? sql`, ${free}` : sql``}
    ${lists.length === 0 ? sql`select id, deadline_at from run_tasks where false` : sql``}
    ${sql.join(
      lists.map((list) => sql`select id, deadline_at from ${sql.raw(list)}`),
      sql` union all `,
    )}
    order by deadline_at nulls last, id limit ${count})`;
}

interface Merge extends TaskSources {
  readonly count: number;
  /** Whether a task matches the filter. */
  readonly condition: RawBuilder<unknown>;
  /** The first column of the order, and a value that is higher than all its values. */
  readonly column: 'deadline_at' | 'id';
  readonly highest: string;
}

/**
 * Named queries that merge the parts; the last query is called `name`. If there are many parts, a few tasks of each are
 * read first. They are enough to determine a value up to which there are `count` tasks, so that no part is read beyond
 * that value.
 */
function merge(
  name: 'dated' | 'free',
  { count, sources, areMany, overlap, condition, column, highest }: Merge,
): RawBuilder<unknown> {
  const by = sql.raw(column);
  const type = sql.raw(column === 'id' ? 'uuid' : 'timestamptz');
  const [some, bound, all] = [sql.raw(`${name}_some`), sql.raw(`${name}_bound`), sql.raw(name)];
  const read = (limit: number, upTo?: RawBuilder<unknown>) => sql`
    select ${overlap ? sql`distinct` : sql``} id, deadline_at from (${sql.join(
      sources.map(
        ({ rows, isIn }, index) => sql`
          select task.id, task.deadline_at from ${partsAt(index)} part ${upTo ? sql`cross join ${upTo} bound` : sql``}
          cross join lateral (
            select task.deadline_at, task.id from ${rows}
            where ${isIn} and ${condition} ${upTo ? sql`and task.${by} <= bound.value` : sql``}
            order by task.deadline_at, task.id limit ${limit}) task`,
      ),
      sql` union all `,
    )}) task`;
  const bounding = sql`
    ${some} as (${read(Math.ceil(count / 10) + 1)}),
    ${bound} as (select coalesce((select ${by} from ${some} order by ${by} offset ${count} - 1 limit 1), ${highest}::${type}) as value),`;
  return sql`${areMany ? bounding : sql``}
    ${all} as (
      ${read(count, areMany ? bound : undefined)} order by deadline_at, id limit ${count})`;
}

/** The name of the query for the parts of a source. */
function partsAt(index: number): RawBuilder<unknown> {
  return sql.raw(`part_${index}`);
}
