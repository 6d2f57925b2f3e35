import { sql } from 'kysely';
import type { Em } from '../database.ts';

/** A run whose next deadline has passed; `deadline` as PostgreSQL writes it. */
export interface DueRun {
  readonly id: string;
  readonly organizationId: string;
  readonly deadline: string;
}

/** Deadlines have milliseconds, and one that is now is not past. */
const isDue = sql`next_deadline_at < date_trunc('milliseconds', now())`;

/** Up to `limit` runs of all organizations that are due by the database's clock, longest due first, from after a given one on. */
export async function findDueRuns(em: Em, after: DueRun | undefined, limit: number): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    select id, organization_id as "organizationId", next_deadline_at as deadline from runs
    where ${isDue} ${after ? sql`and (next_deadline_at, id) > (${after.deadline}, ${after.id})` : sql``}
    order by next_deadline_at, id limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Locks a run if it is still due and nobody holds it; the database's time, or null. */
export async function lockDueRun(em: Em, { id, organizationId }: DueRun): Promise<Date | null> {
  const { rows } = await sql<{ now: string }>`
    select date_trunc('milliseconds', now()) as now from runs
    where id = ${id} and organization_id = ${organizationId} and ${isDue} for update skip locked
  `.execute(em.getKysely());
  return rows[0] ? new Date(rows[0].now) : null;
}
