import { taskStatuses, type TaskStatus } from '@runward/contract';
import { activeRunStatuses } from '@runward/engine';
import { expressionBuilder, sql, type Expression, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import { databaseNow } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import { countersOf } from './run-counters.ts';

/** Which tasks to list. Without `runId`, only tasks of active runs that are not archived. */
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

/** Whether the filter's tasks are in an index by template. If not, they are in one by assignee, group or run. */
export function areByTemplate({ assigneeId, assigneeGroupId, runId }: TaskFilter): boolean {
  return assigneeId === undefined && assigneeGroupId === undefined && runId === undefined;
}

/** Whether a filter excludes all tasks without a deadline. */
export function areDated({ dueAfter, dueBefore, overdue }: TaskFilter): boolean {
  return dueAfter !== undefined || dueBefore !== undefined || overdue === true;
}

/**
 * The parts of a list of tasks, as a query (alias `part`): one per status, or per status and template if the tasks are
 * in an index by template. The tasks of each part are in an index in the order of the list. Deadlines begin at
 * `first_at` and end before `end_at`.
 */
export function partsOf(db: Kysely<Tables>, actor: Actor, filter: TaskFilter): RawBuilder<unknown> {
  const { status = taskStatuses, dueAfter, dueBefore, overdue, templateId } = filter;
  const statuses = status.filter((each, index) => status.indexOf(each) === index && !(overdue && each === 'COMPLETED'));
  const first = sql`coalesce(${dueAfter ?? null}::timestamptz, '-infinity')`;
  const end = sql`coalesce(${dueBefore ?? null}::timestamptz, 'infinity')`;
  const notOverdue = sql`case when status = 'COMPLETED' then ${first} else greatest(${first}, ${databaseNow}) end`;
  const templates = countersOf(db, actor, { templateId, statuses: [...activeRunStatuses] })
    .select('run.template_id')
    .distinct();
  return sql`
    select ${areByTemplate(filter) ? sql`template.template_id,` : sql``} status,
      ${overdue === false ? notOverdue : first} as first_at, ${overdue ? sql`least(${end}, ${databaseNow})` : end} as end_at
    from unnest(${statuses}::text[]) status ${areByTemplate(filter) ? sql`cross join (${templates}) template` : sql``}`;
}

/** The condition that a task (alias `task`) belongs to a part of the list (alias `part`), whatever its deadline. */
export function isInPart(actor: Actor, filter: TaskFilter): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { task: Tables['run_tasks']; part: Part }, 'task' | 'part'>();
  const { assigneeId, assigneeGroupId, templateId, runId } = filter;
  const isOfPart = eb.and([
    eb('task.organization_id', '=', actor.organizationId),
    eb('task.status', '=', eb.ref('part.status')),
    ...(runId === undefined
      ? [eb('task.listed', '=', true)]
      : [eb('task.run_id', '=', runId), eb('task.hidden', '=', false), eb('task.removed_at', 'is', null)]),
  ]);
  if (areByTemplate(filter)) return isOfPart.and('task.template_id', '=', eb.ref('part.template_id'));
  return eb.and([
    isOfPart,
    rowsInScope('task', actor),
    ...(assigneeId === undefined ? [] : [eb('task.assignee_id', '=', assigneeId)]),
    ...(assigneeGroupId === undefined ? [] : [eb('task.assignee_group_id', '=', assigneeGroupId)]),
    ...(templateId === undefined ? [] : [eb('task.template_id', '=', templateId)]),
  ]);
}

/** The columns that `partsOf` selects. */
interface Part {
  readonly template_id: string;
  readonly status: TaskStatus;
  readonly first_at: string;
  readonly end_at: string;
}
