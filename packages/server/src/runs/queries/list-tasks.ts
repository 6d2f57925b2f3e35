import type { RunStatus, TaskStatus } from '@runward/contract';
import { activeRunStatuses, type ApprovalState } from '@runward/engine';
import { expressionBuilder, sql, type ExpressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import type { Em } from '../../database/database.ts';
import { countAs, databaseNow } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';

/** Which tasks to list. Without `runId`, those of active runs that are not archived. */
export interface TaskFilter {
  readonly assigneeId?: string | undefined;
  readonly assigneeGroupId?: string | undefined;
  readonly status?: readonly TaskStatus[] | undefined;
  readonly dueAfter?: string | undefined;
  readonly dueBefore?: string | undefined;
  readonly overdue?: boolean | undefined;
  readonly templateId?: string | undefined;
  readonly runId?: string | undefined;
}

/** The last task of a page. */
export interface TaskKey {
  readonly id: string;
  readonly deadlineAt: string | null;
}

/** A task with its run; instants as PostgreSQL writes them. */
export interface TaskRow extends TaskKey {
  readonly taskId: string;
  readonly position: number;
  readonly status: TaskStatus;
  readonly hidden: boolean;
  readonly hiddenFieldIds: readonly string[];
  readonly approval: ApprovalState | null;
  /** Of a BLOCKED task: the visible tasks of the run that are not completed. */
  readonly openTasks: readonly { readonly id: string; readonly taskId: string }[] | null;
  readonly dueAt: string | null;
  readonly dueAtHasTime: boolean;
  readonly assigneeId: string | null;
  readonly assigneeGroupId: string | null;
  readonly completedAt: string | null;
  readonly completedByUserId: string | null;
  readonly retiredFromVersionId: string | null;
  readonly runId: string;
  readonly runTitle: string;
  readonly runPublicId: string;
  readonly runStatus: RunStatus;
  readonly templateId: string;
  readonly templateVersionId: string;
}

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

/**
 * Up to `limit` + 1 visible tasks in the caller's resource scope after a key, the earliest deadline first and those without one last, and
 * the number of all of them. One statement.
 */
export async function listTasks(
  em: Em,
  actor: Actor,
  filter: TaskFilter,
  { limit, after }: { limit: number; after: TaskKey | undefined },
): Promise<{ rows: TaskRow[]; total: number }> {
  const tasks = tasksWithRuns(actor.organizationId)
    .where('task.hidden', '=', false)
    .where(rowsInScope('run', actor))
    .where((eb) => conditions(eb, filter));
  const rest = after === undefined ? tasks : tasks.where((eb) => isAfter(eb, after));
  const page = rest
    .select(columns)
    .select(openTasks)
    .orderBy('task.deadline_at', (order) => order.asc().nullsLast())
    .orderBy('task.id')
    .limit(limit + 1);
  return em
    .getKysely()
    .selectNoFrom([tasks.select(countAs('total')).$asScalar().$notNull().as('total'), jsonArrayFrom(page).as('rows')])
    .executeTakeFirstOrThrow();
}

/** A task of the organization with its run, or null. */
export async function findTask(em: Em, organizationId: string, id: string): Promise<TaskRow | null> {
  const query = tasksWithRuns(organizationId).where('task.id', '=', id).select(columns).select(openTasks);
  const { rows } = await em.getKysely().selectNoFrom(jsonArrayFrom(query).as('rows')).executeTakeFirstOrThrow();
  return rows[0] ?? null;
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

type Builder = ExpressionBuilder<Tables & { task: Tables['run_tasks']; run: Tables['runs'] }, 'task' | 'run'>;

function conditions(eb: Builder, filter: TaskFilter) {
  const { assigneeId, assigneeGroupId, status, dueAfter, dueBefore, overdue, templateId, runId } = filter;
  const isOverdue = eb.and([eb('task.status', '<>', 'COMPLETED'), eb('task.deadline_at', '<', databaseNow)]);
  return eb.and([
    ...(runId === undefined
      ? [eb('run.status', 'in', activeRunStatuses), eb('run.archived_at', 'is', null)]
      : [eb('task.run_id', '=', runId)]),
    ...(assigneeId === undefined ? [] : [eb('task.assignee_id', '=', assigneeId)]),
    ...(assigneeGroupId === undefined ? [] : [eb('task.assignee_group_id', '=', assigneeGroupId)]),
    ...(status === undefined ? [] : [eb('task.status', 'in', status)]),
    ...(dueAfter === undefined ? [] : [eb('task.deadline_at', '>=', dueAfter)]),
    ...(dueBefore === undefined ? [] : [eb('task.deadline_at', '<', dueBefore)]),
    ...(overdue === undefined ? [] : [overdue ? isOverdue : eb.not(eb.fn.coalesce(isOverdue, eb.lit(false)))]),
    ...(templateId === undefined ? [] : [eb('run.template_id', '=', templateId)]),
  ]);
}

function isAfter(eb: Builder, { id, deadlineAt }: TaskKey) {
  const isLaterId = eb.and([eb('task.deadline_at', 'is', null), eb('task.id', '>', id)]);
  if (deadlineAt === null) return isLaterId;
  return eb.or([
    eb('task.deadline_at', 'is', null),
    eb(eb.refTuple('task.deadline_at', 'task.id'), '>', eb.tuple(sql<string>`${deadlineAt}::timestamptz`, id)),
  ]);
}
