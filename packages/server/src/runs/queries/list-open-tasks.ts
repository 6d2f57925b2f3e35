import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/** A task somebody still has to do; `dueAt` as PostgreSQL writes it. */
export interface OpenTaskRow {
  readonly runTaskId: string;
  readonly title: string;
  readonly dueAt: string | null;
  readonly runId: string;
  readonly runTitle: string;
  readonly templateId: string;
}

/** Up to `limit` + 1 open tasks of active runs that are assigned so, oldest first, and how many there are in all. One statement. */
export async function listOpenTasks(
  em: Em,
  organizationId: string,
  userId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ rows: OpenTaskRow[]; total: number }> {
  const { rows } = await sql<{ total: number; tasks: OpenTaskRow[] | null }>`
    ${withOpenTasks(organizationId, userId)}, page as (
      select * from open ${after === undefined ? sql`` : sql`where id > ${after}`} order by id limit ${limit + 1}
    )
    select (select count(*)::int from open) as total, (select json_agg(json_build_object(
      'runTaskId', page.id, 'dueAt', due_at, 'runId', run_id, 'runTitle', title, 'templateId', page.template_id,
      'title', jsonb_path_query_first(document, '$.tasks[*] ? (@.id == $id).title', jsonb_build_object('id', task_id))
    ) order by page.id) from page
    join template_versions version on version.organization_id = page.organization_id and version.id = template_version_id) as tasks
  `.execute(em.getKysely());
  return { rows: rows[0]?.tasks ?? [], total: rows[0]?.total ?? 0 };
}

/** The active runs with open tasks that are assigned so, in the order of their ids. */
export async function findRunsToHandOver(em: Em, organizationId: string, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${withOpenTasks(organizationId, userId)} select distinct run_id as id from open order by run_id
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** Begins with the tasks, of which one assignee has few, whatever the planner knows of the tables. */
function withOpenTasks(organizationId: string, userId: string) {
  return sql`
    with assigned as materialized (
      select organization_id, id, run_id, task_id, due_at from run_tasks
      where organization_id = ${organizationId} and assignee_id = ${userId} and status <> 'COMPLETED' and not hidden
    ), open as (
      select task.*, run.title, run.template_id, run.template_version_id
      from assigned task join runs run on run.organization_id = task.organization_id and run.id = task.run_id
      where run.status in ('RUNNING', 'OVERDUE') and run.archived_at is null
    )`;
}
