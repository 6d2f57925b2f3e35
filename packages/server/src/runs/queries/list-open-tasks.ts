import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';

/** An open task. `dueAt` is in PostgreSQL's text format. */
export interface OpenTaskRow {
  readonly runTaskId: string;
  readonly title: string;
  readonly dueAt: string | null;
  readonly runId: string;
  readonly runTitle: string;
  readonly templateId: string;
}

/** Up to `limit` + 1 open tasks of active runs that a member is assigned to, oldest first, and the number of all. */
export async function listOpenTasks(
  em: Em,
  organizationId: string,
  userId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ rows: OpenTaskRow[]; total: number }> {
  const open = openTasks(em, organizationId, userId);
  const { total } = await open.select(countAs('total')).executeTakeFirstOrThrow();
  const rest = after === undefined ? open : open.where('task.id', '>', after);
  const rows = await rest
    .innerJoin('template_versions as version', (join) =>
      join
        .onRef('version.organization_id', '=', 'run.organization_id')
        .onRef('version.id', '=', 'run.template_version_id'),
    )
    .select(({ ref }) => [
      'task.id as runTaskId',
      'task.due_at as dueAt',
      'task.run_id as runId',
      'run.title as runTitle',
      'run.template_id as templateId',
      sql<string>`jsonb_path_query_first(${ref('version.document')}, '$.tasks[*] ? (@.id == $id).title',
        jsonb_build_object('id', ${ref('task.task_id')})) #>> '{}'`.as('title'),
    ])
    .orderBy('task.id')
    .limit(limit + 1)
    .execute();
  return { rows, total };
}

/** The active runs with open tasks that are assigned to a member, in the order of their ids. */
export async function findRunsToHandOver(em: Em, organizationId: string, userId: string): Promise<string[]> {
  const runs = await openTasks(em, organizationId, userId).select('run.id').distinct().orderBy('run.id').execute();
  return runs.map(({ id }) => id);
}

/** Starts with the tasks, because one assignee has few, whatever statistics the planner has. */
function openTasks(em: Em, organizationId: string, userId: string) {
  return em
    .getKysely()
    .with(
      (cte) => cte('task').materialized(),
      (db) =>
        db
          .selectFrom('run_tasks')
          .where('organization_id', '=', organizationId)
          .where('assignee_id', '=', userId)
          .where('status', '<>', 'COMPLETED')
          .where('listed', '=', true)
          .select(['organization_id', 'id', 'run_id', 'task_id', 'due_at']),
    )
    .selectFrom('task')
    .innerJoin('runs as run', (join) =>
      join.onRef('run.organization_id', '=', 'task.organization_id').onRef('run.id', '=', 'task.run_id'),
    );
}
