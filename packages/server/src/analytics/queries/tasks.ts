import { activeRunStatuses } from '@runward/engine';
import { sql, type Kysely } from 'kysely';
import { countAs, countIf, databaseNow } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { Part } from './figures.ts';
import { keyOf, runsOf, type Division, type Population } from './population.ts';

/** How many seconds tasks took: the median and the 90th percentile. Null without any. */
interface Durations {
  readonly quantiles: readonly number[] | null;
}

/** The tasks that are assigned to a member. */
export interface AssigneeRow extends Durations {
  readonly userId: string;
  readonly completedTasks: number;
  readonly openTasks: number;
  readonly overdueTasks: number;
}

/** A task of a template, as it went in the runs. */
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

/** The clocks of two processes can differ, so that a task seems to end before it begins. */
const duration = `greatest(0, date_part('epoch', task.completed_at - task.available_at))`;
const median = sql<
  number | null
>`percentile_cont(0.5) within group (order by ${sql.raw(duration)}) filter (where ${sql.raw(isTimed)})`;
const quantiles = sql<
  readonly number[] | null
>`percentile_cont(array[0.5, 0.9]) within group (order by ${sql.raw(duration)}) filter (where ${sql.raw(isTimed)})`;

/** The tasks of a population (alias `task`) with their runs. Hidden, removed and retired tasks do not count. */
function tasksOf(db: Kysely<Tables>, population: Population) {
  return runsOf(db, population)
    .innerJoin('run_tasks as task', (join) =>
      join.onRef('task.organization_id', '=', 'run.organization_id').onRef('task.run_id', '=', 'run.id'),
    )
    .where('task.hidden', '=', false)
    .where('task.removed_at', 'is', null)
    .where('task.retired_from_version_id', 'is', null);
}

/**
 * The overdue tasks. Only a run that is OVERDUE, or has a missed deadline that was not detected yet, can have one, so that only those are
 * read; neither is ever archived.
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

/** The tasks of each member who has any, those with most first. */
export async function listAssignees(db: Kysely<Tables>, population: Population, limit: number): Promise<AssigneeRow[]> {
  return tasksOf(db, population)
    .where('task.assignee_id', 'is not', null)
    .where(sql.raw<boolean>(`(${isCompleted} or ${isOpen})`))
    .select([
      'task.assignee_id as userId',
      countIf(isCompleted).as('completedTasks'),
      countIf(isOpen).as('openTasks'),
      countIf(isOverdue).as('overdueTasks'),
      quantiles.as('quantiles'),
    ])
    .groupBy('task.assignee_id')
    .orderBy(countAs('tasks').expression, 'desc')
    .orderBy('task.assignee_id')
    .limit(limit)
    .$narrowType<{ userId: string }>()
    .execute();
}

/** The tasks with the longest median duration. */
export async function listBottlenecks(
  db: Kysely<Tables>,
  population: Population,
  limit: number,
): Promise<BottleneckRow[]> {
  return tasksOf(db, population)
    .where(sql.raw<boolean>(isTimed))
    .select([
      'task.task_id as taskId',
      'run.template_id as templateId',
      countAs('completedTasks'),
      countIf('task.deadline_at is not null').as('withDeadline'),
      countIf(isLate).as('late'),
      quantiles.as('quantiles'),
    ])
    .groupBy(['run.template_id', 'task.task_id'])
    .orderBy(median, 'desc')
    .orderBy('task.task_id')
    .orderBy('run.template_id')
    .limit(limit)
    .execute();
}
