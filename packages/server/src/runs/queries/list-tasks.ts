import type { TaskReason, Total } from '@runward/contract';
import { expressionBuilder, sql, type Selection } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import { totalWithin, type CountLimit } from '../../paging.ts';
import { areCounted, totalOfTasks } from './count-tasks.ts';
import { reasonsOf } from './my-task-sources.ts';
import { nextTasks, type TaskKey } from './next-tasks.ts';
import type { TaskFilter } from './task-parts.ts';

const columns = [
  'task.id',
  'task.task_id as taskId',
  'task.position',
  'task.status',
  'task.hidden',
  'task.hidden_field_ids as hiddenFieldIds',
  'task.approval',
  'task.due_at as dueAt',
  'task.due_at_has_time as dueAtHasTime',
  'task.deadline_at as deadlineAt',
  'task.assignee_id as assigneeId',
  'task.assignee_group_id as assigneeGroupId',
  'task.completed_at as completedAt',
  'task.completed_by_user_id as completedByUserId',
  'task.retired_from_version_id as retiredFromVersionId',
  'task.run_id as runId',
  'run.title as runTitle',
  'run.public_id as runPublicId',
  'run.status as runStatus',
  'run.template_id as templateId',
  'run.template_version_id as templateVersionId',
] as const;

type Columns = Selection<
  Tables & { task: Tables['run_tasks']; run: Tables['runs'] },
  'task' | 'run',
  (typeof columns)[number]
>;

/** A task with its run. Instants are in PostgreSQL's text format. */
export interface TaskRow extends Columns {
  /** For a BLOCKED task: the visible tasks of the run that are not completed. */
  readonly openTasks: readonly { readonly id: string; readonly taskId: string }[] | null;
  /** Only in lists of the tasks of the caller. */
  readonly reasons?: readonly TaskReason[];
}

/**
 * Up to `limit` + 1 visible tasks in the caller's resource scope after a key, and the number of all of them. The
 * earliest deadline comes first, and tasks without a deadline come last. Both come from one statement.
 */
export async function listTasks(
  em: Em,
  actor: Actor,
  filter: TaskFilter,
  { limit, after, most }: { limit: number; after: TaskKey | undefined; most: CountLimit },
): Promise<{ rows: TaskRow[]; total: Total }> {
  const db = em.getKysely();
  const rows = tasksWithRuns(actor.organizationId)
    .innerJoin(sql<{ id: string }>`page`.as('page'), 'page.id', 'task.id')
    .select(columns)
    .select(openTasks)
    .$if(filter.mine !== undefined, (query) => query.select(reasonsOf(actor).as('reasons')))
    .orderBy('task.deadline_at', (order) => order.asc().nullsLast())
    .orderBy('task.id');
  const list = await db
    .with('page', (cte) =>
      cte.selectFrom(nextTasks(db, actor, filter, { count: limit + 1, after }).as('task')).selectAll(),
    )
    .selectNoFrom([
      totalOfTasks(db, actor, filter, { most, limit: after === undefined ? limit : null }).as('total'),
      jsonArrayFrom(rows).as('rows'),
    ])
    .executeTakeFirstOrThrow();
  return { rows: list.rows, total: totalWithin(most, list.total, { isKnown: areCounted(filter) }) };
}

const openTasks = sql<TaskRow['openTasks']>`case when task.status = 'BLOCKED' then (
  select json_agg(json_build_object('id', other.id, 'taskId', other.task_id)) from run_tasks other
  where other.organization_id = task.organization_id and other.run_id = task.run_id
    and other.removed_at is null and not other.hidden and other.status <> 'COMPLETED') end`.as('openTasks');

function tasksWithRuns(organizationId: string) {
  return expressionBuilder<Tables>()
    .selectFrom('run_tasks as task')
    .innerJoin('runs as run', (join) =>
      join.onRef('run.organization_id', '=', 'task.organization_id').onRef('run.id', '=', 'task.run_id'),
    )
    .where('task.organization_id', '=', organizationId)
    .where('task.removed_at', 'is', null);
}
