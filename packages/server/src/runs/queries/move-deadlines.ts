import { sql } from 'kysely';
import type { Author } from '../../access/actor.ts';
import { newId } from '../../ids.ts';
import type { Em } from '../../database/database.ts';
import { instant } from '../../database/instant.ts';

/** A task without a time of day that is still to be done. */
export interface DateOnlyTask {
  readonly runId: string;
  readonly runTaskId: string;
  readonly dueAt: string;
  readonly deadlineAt: string;
}

/** Locks all active runs of an organization until the transaction ends, in the order of their ids. */
export async function lockActiveRuns(
  em: Em,
  organizationId: string,
): Promise<{ id: string; status: 'RUNNING' | 'OVERDUE' }[]> {
  const { rows } = await sql<{ id: string; status: 'RUNNING' | 'OVERDUE' }>`
    select id, status from runs
    where organization_id = ${organizationId} and status in ('RUNNING', 'OVERDUE') order by id for update
  `.execute(em.getKysely());
  return rows;
}

/** The date-only tasks of these runs that are not completed; hidden ones too, which a rule may show again. */
export async function listDateOnlyTasks(
  em: Em,
  organizationId: string,
  runIds: readonly string[],
): Promise<DateOnlyTask[]> {
  const { rows } = await sql<DateOnlyTask>`
    select run_id as "runId", id as "runTaskId", due_at as "dueAt", deadline_at as "deadlineAt" from run_tasks
    where organization_id = ${organizationId} and run_id = any(${runIds}::uuid[]) and due_at is not null and not due_at_has_time and status <> 'COMPLETED'
    order by run_id, position
  `.execute(em.getKysely());
  return rows.map(({ runId, runTaskId, dueAt, deadlineAt }) => ({
    runId,
    runTaskId,
    dueAt: instant(dueAt),
    deadlineAt: instant(deadlineAt),
  }));
}

/**
 * Writes new deadlines of tasks, which may then be signalled anew, with their facts, and when their runs are to be looked at next. The
 * caller holds the locks of the runs. A run's `last_activity_at` stays: nobody worked on it.
 */
export async function writeDeadlines(
  em: Em,
  organizationId: string,
  { moved, author, at }: { moved: readonly DateOnlyTask[]; author: Author; at: string },
): Promise<void> {
  const rows = moved.map(({ runId, runTaskId, dueAt, deadlineAt }) => ({
    id: newId(),
    runId,
    runTaskId,
    deadlineAt,
    data: { runTaskId, dueAt, dueAtHasTime: false, deadlineAt },
  }));
  const runIds = [...new Set(moved.map(({ runId }) => runId))];
  const db = em.getKysely();
  await sql`
    with moved as (
      select * from json_to_recordset(${JSON.stringify(rows)})
        as moved(id uuid, "runId" uuid, "runTaskId" uuid, "deadlineAt" timestamptz, data jsonb)
    ), updated as (
      update run_tasks set deadline_at = "deadlineAt", overdue_signalled = false
      from moved where organization_id = ${organizationId} and run_tasks.id = "runTaskId"
    )
    insert into activity (organization_id, run_id, sequence, id, type, at, actor_type, actor_user_id, actor_api_key_id, data)
    select run.organization_id, run.id, run.activity_count + row_number() over (partition by run.id order by "runTaskId"), moved.id,
      'task.due_date_changed', ${at}, ${author.type}, ${author.userId}, ${author.apiKeyId}, data
    from moved join runs run on run.organization_id = ${organizationId} and run.id = "runId"
  `.execute(db);
  // A statement of its own, which sees what the one before wrote. The next deadline is what the engine's nextDeadline says.
  await sql`
    update runs run
    set activity_count = (
        select max(sequence) from activity where organization_id = run.organization_id and run_id = run.id),
      next_deadline_at = (select min(deadline_at) from run_tasks
        where organization_id = run.organization_id and run_id = run.id and status <> 'COMPLETED' and not hidden and not overdue_signalled)
    where id = any(${runIds}::uuid[]) and organization_id = ${organizationId}
  `.execute(db);
}
