import { taskStatuses, type TaskReason, type TaskStatus, type ValueFilter } from '@runward/contract';
import { sql, type RawBuilder } from 'kysely';
import { databaseNow } from '../../database/expressions.ts';

/** Which tasks to list. Without `runId`, only tasks of active runs that are not archived. */
export interface TaskFilter {
  /** Why they are tasks of the caller. A filter with it names no assignee, group or run. */
  readonly mine?: readonly TaskReason[] | undefined;
  readonly assigneeId?: string | undefined;
  readonly assigneeGroupId?: string | undefined;
  readonly status?: readonly TaskStatus[] | undefined;
  readonly dueAfter?: string | undefined;
  readonly dueBefore?: string | undefined;
  readonly undated?: boolean | undefined;
  readonly overdue?: boolean | undefined;
  readonly templateId?: string | undefined;
  readonly runId?: string | undefined;
  /** Values of the run of the task. */
  readonly values?: readonly ValueFilter[] | undefined;
}

/** Whether a filter excludes all tasks without a deadline. */
export function areDated({ dueAfter, dueBefore, overdue }: TaskFilter): boolean {
  return dueAfter !== undefined || dueBefore !== undefined || overdue === true;
}

/**
 * The parts of a list of tasks, as a query: one per status, or per status and row of the query `owners` if the tasks
 * are in an index by the column that it selects. Deadlines begin at `first_at` and end before `end_at`.
 */
export function partsOf(filter: TaskFilter, owners?: RawBuilder<unknown>): RawBuilder<unknown> {
  const { status = taskStatuses, dueAfter, dueBefore, overdue } = filter;
  const statuses = status.filter((each, index) => status.indexOf(each) === index && !(overdue && each === 'COMPLETED'));
  const first = sql`coalesce(${dueAfter ?? null}::timestamptz, '-infinity')`;
  const end = sql`coalesce(${dueBefore ?? null}::timestamptz, 'infinity')`;
  const notOverdue = sql`case when status = 'COMPLETED' then ${first} else greatest(${first}, ${databaseNow}) end`;
  return sql`
    select ${owners ? sql`owner.*,` : sql``} status,
      ${overdue === false ? notOverdue : first} as first_at, ${overdue ? sql`least(${end}, ${databaseNow})` : end} as end_at
    from unnest(${statuses}::text[]) status ${owners ? sql`cross join (${owners}) owner` : sql``}`;
}

/** The columns that `partsOf` selects, besides that of the owners. */
export interface Part {
  readonly status: TaskStatus;
  readonly first_at: string;
  readonly end_at: string;
}
