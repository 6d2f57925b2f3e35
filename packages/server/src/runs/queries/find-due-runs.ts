import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/** A run whose next deadline has passed; `deadline` as PostgreSQL writes it, `now` the database's time. */
export interface DueRun {
  readonly id: string;
  readonly organizationId: string;
  readonly deadline: string;
  readonly now: string;
}

/** Deadlines have milliseconds, and one that is now is not past. */
const now = sql`date_trunc('milliseconds', now())`;

/**
 * Up to `limit` runs of all organizations that are due by the database's clock, longest due first, from after a given one on. Those that
 * are being changed right now are left out.
 */
export async function findDueRuns(em: Em, after: DueRun | undefined, limit: number): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    select id, organization_id as "organizationId", next_deadline_at as deadline, ${now} as now from runs
    where next_deadline_at < ${now} ${after ? sql`and (next_deadline_at, id) > (${after.deadline}, ${after.id})` : sql``}
    order by next_deadline_at, id limit ${limit} for no key update skip locked
  `.execute(em.getKysely());
  return rows;
}
