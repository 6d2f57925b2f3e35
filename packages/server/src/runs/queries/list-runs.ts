import type { RunStatus } from '@runward/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { runsInScope } from '../../access/resource-scope.ts';
import type { Em } from '../../database/database.ts';

/** Which runs to list; `after` is the id of the last run of the page before. */
export interface RunFilter {
  readonly templateId?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly scheduledDate?: string | undefined;
  readonly stalledForDays?: number | undefined;
  readonly archived: boolean;
}

/** A run as lists show it; instants as PostgreSQL writes them. */
export interface RunListRow {
  readonly id: string;
  readonly publicId: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly templateId: string;
  readonly ownerUserId: string;
  readonly scheduledDateLocal: string;
  readonly createdAt: string;
  readonly completedAt: string | null;
}

/** Up to `limit` + 1 runs the caller reaches, newest first, and how many there are in all. One statement. */
export async function listRuns(
  em: Em,
  actor: Actor,
  filter: RunFilter,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ rows: RunListRow[]; total: number }> {
  const where = runConditions(actor, filter);
  const { rows } = await sql<{ total: number; runs: RunListRow[] | null }>`
    select (select count(*)::int from runs run where ${where}) as total,
      (select json_agg(page) from (
        select run.id, public_id as "publicId", title, status, template_id as "templateId",
          owner_user_id as "ownerUserId", scheduled_date_local as "scheduledDateLocal", created_at as "createdAt",
          completed_at as "completedAt"
        from runs run where ${where} ${after === undefined ? sql`` : sql`and run.id < ${after}`}
        order by run.id desc limit ${limit + 1}) page) as runs
  `.execute(em.getKysely());
  return { rows: rows[0]?.runs ?? [], total: rows[0]?.total ?? 0 };
}

/** Runs by status, archived ones left out. */
export async function countRuns(em: Em, actor: Actor, templateId: string | undefined): Promise<Map<RunStatus, number>> {
  const { rows } = await sql<{ status: RunStatus; count: number }>`
    select status, count(*)::int as count from runs run
    where ${runConditions(actor, { templateId, archived: false })} group by status
  `.execute(em.getKysely());
  return new Map(rows.map(({ status, count }) => [status, count]));
}

/** The condition of a query over `runs` (alias `run`): the caller's resource scope and a filter. */
export function runConditions(actor: Actor, filter: RunFilter) {
  const { templateId, status, scheduledDate, stalledForDays, archived } = filter;
  const parts = [runsInScope(actor), archived ? sql`run.archived_at is not null` : sql`run.archived_at is null`];
  if (templateId !== undefined) parts.push(sql`run.template_id = ${templateId}`);
  if (status !== undefined) parts.push(sql`run.status = ${status}`);
  if (scheduledDate !== undefined) parts.push(sql`run.scheduled_date_local = ${scheduledDate}`);
  if (stalledForDays !== undefined) {
    parts.push(sql`run.status in ('RUNNING', 'OVERDUE')`);
    parts.push(sql`run.last_activity_at <= now() - make_interval(days => ${stalledForDays})`);
  }
  return sql.join(parts, sql` and `);
}
