import { activeRunStatuses } from '@runward/engine';
import { sql, type Kysely } from 'kysely';
import { countAs, countIf, databaseNow } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { Part } from './figures.ts';
import { keyOf, runIdsOf, runsOf, type Division, type Population } from './population.ts';
import { quantilesIn, type Quantiles } from './quantiles.ts';

/** How many seconds tasks took: the median and the 90th percentile. Null if there are none. */
interface Durations {
  readonly quantiles: Quantiles;
}

/** The figures of the tasks that are assigned to a member. */
export interface AssigneeRow extends Durations {
  readonly userId: string;
  readonly completedTasks: number;
  readonly openTasks: number;
  readonly overdueTasks: number;
}

/** The figures of a task of a template in the runs. */
export interface BottleneckRow extends Durations {
  readonly taskId: string;
  readonly templateId: string;
  readonly completedTasks: number;
  readonly withDeadline: number;
  readonly late: number;
}

// The definitions of all figures of tasks.
const isCompleted = `task.status = 'COMPLETED'`;
const isOpen = `task.status <> 'COMPLETED' and run.status in (${activeRunStatuses.map((status) => `'${status}'`).join(', ')})`;
const isOverdue = `${isOpen} and task.deadline_at < now()`;
const isTimed = `${isCompleted} and task.available_at is not null`;
const isLate = `${isTimed} and task.completed_at > task.deadline_at`;

/** The clocks of two processes can differ, so that a task may seem to end before it begins. */
const duration = `greatest(0, date_part('epoch', task.completed_at - task.available_at))`;
const seconds = sql<readonly number[] | null>`array_agg(${sql.raw(duration)}) filter (where ${sql.raw(isTimed)})`.as(
  'seconds',
);

/**
 * The tasks of a population (alias `task`) with their runs. Hidden, removed and retired tasks do not count. PostgreSQL
 * does not derive the range of `run_id` from the range of run ids.
 */
function tasksOf(db: Kysely<Tables>, population: Population) {
  const { first, end } = runIdsOf(population);
  return runsOf(db, population)
    .innerJoin('run_tasks as task', (join) =>
      join.onRef('task.organization_id', '=', 'run.organization_id').onRef('task.run_id', '=', 'run.id'),
    )
    .where('task.run_id', '>=', first)
    .where('task.run_id', '<', end)
    .where('task.hidden', '=', false)
    .where('task.removed_at', 'is', null)
    .where('task.retired_from_version_id', 'is', null);
}

/**
 * The overdue tasks. Only runs that are OVERDUE, or have a missed deadline that was not detected yet, can have overdue
 * tasks, so that only these are read. Such runs are never archived.
 */
function overdueTasksOf(db: Kysely<Tables>, population: Population) {
  return tasksOf(db, population)
    .where('run.archived_at', 'is', null)
    .where((eb) => eb.or([eb('run.status', '=', 'OVERDUE'), eb('run.next_deadline_at', '<', databaseNow)]))
    .where(sql.raw<boolean>(isOverdue));
}

/** The number of overdue tasks in a population. */
export async function countOverdueTasks(db: Kysely<Tables>, population: Population): Promise<number> {
  const { count } = await overdueTasksOf(db, population).select(countAs('count')).executeTakeFirstOrThrow();
  return count;
}

/** The numbers of overdue tasks of each part of a population that has any. */
export async function countOverdueTasksBy(
  db: Kysely<Tables>,
  population: Population,
  division: Division,
): Promise<(Part & { readonly count: number })[]> {
  return overdueTasksOf(db, population)
    .select([keyOf(division).as('key'), countAs('count')])
    .groupBy('key')
    .execute();
}

/** The figures of each member who has tasks. Members with the most tasks come first. */
export async function listAssignees(db: Kysely<Tables>, population: Population, limit: number): Promise<AssigneeRow[]> {
  const assignees = tasksOf(db, population)
    .where('task.assignee_id', 'is not', null)
    .where(sql.raw<boolean>(`(${isCompleted} or ${isOpen})`))
    .select([
      'task.assignee_id as userId',
      countAs('tasks'),
      countIf(isCompleted).as('completedTasks'),
      countIf(isOpen).as('openTasks'),
      countIf(isOverdue).as('overdueTasks'),
      seconds,
    ])
    .groupBy('task.assignee_id')
    .orderBy('tasks', 'desc')
    .orderBy('task.assignee_id')
    .limit(limit);
  return db
    .selectFrom(assignees.as('assignee'))
    .select(['userId', 'completedTasks', 'openTasks', 'overdueTasks', quantilesIn('assignee.seconds').as('quantiles')])
    .orderBy('tasks', 'desc')
    .orderBy('userId')
    .$narrowType<{ userId: string }>()
    .execute();
}

/** The tasks with the longest median duration. */
export async function listBottlenecks(
  db: Kysely<Tables>,
  population: Population,
  limit: number,
): Promise<BottleneckRow[]> {
  const tasks = tasksOf(db, population)
    .where(sql.raw<boolean>(isTimed))
    .select([
      'task.task_id as taskId',
      'run.template_id as templateId',
      countAs('completedTasks'),
      countIf('task.deadline_at is not null').as('withDeadline'),
      countIf(isLate).as('late'),
      seconds,
    ])
    .groupBy(['run.template_id', 'task.task_id']);
  const columns = ['taskId', 'templateId', 'completedTasks', 'withDeadline', 'late'] as const;
  const timed = db.selectFrom(tasks.as('task')).select([...columns, quantilesIn('task.seconds').as('quantiles')]);
  return db
    .selectFrom(timed.as('task'))
    .select([...columns, 'quantiles'])
    .orderBy(sql`quantiles[1]`, 'desc')
    .orderBy('taskId')
    .orderBy('templateId')
    .limit(limit)
    .execute();
}
