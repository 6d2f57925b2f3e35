import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';

/** A run whose next deadline has passed. `deadline` is in PostgreSQL's text format; `now` is the database's time. */
export interface DueRun {
  readonly id: string;
  readonly organizationId: string;
  readonly deadline: string;
  readonly now: string;
}

/** Deadlines have milliseconds, and a deadline that is exactly now has not passed. */
const now = sql<string>`date_trunc('milliseconds', now())`;

const isServed = sql<boolean>`organization_id not in ${sql.raw(restingOrganizations)}`;

/**
 * Up to `limit` runs of all organizations that are due by the database's clock, the longest due first, beginning after
 * a given run. Omits runs that another transaction is changing.
 */
export async function findDueRuns(em: Em, after: DueRun | undefined, limit: number): Promise<DueRun[]> {
  const due = em.getKysely().selectFrom('runs').where('next_deadline_at', '<', now);
  const rest = after
    ? due.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('next_deadline_at', 'id'), '>', tuple(sql<string>`${after.deadline}::timestamptz`, after.id)),
      )
    : due;
  return rest
    .where(isServed)
    .select(['id', 'organization_id as organizationId', 'next_deadline_at as deadline', now.as('now')])
    .$narrowType<{ deadline: string }>()
    .orderBy('next_deadline_at')
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
}

const lag = statement<{ seconds: number }>(`
  select coalesce(extract(epoch from now() - min(next_deadline_at)), 0)::float8 as seconds
  from runs where next_deadline_at < date_trunc('milliseconds', now()) and organization_id not in ${restingOrganizations}`);

/** How many seconds ago the oldest deadline passed whose passing was not detected, of all organizations. 0 if none. */
export async function overdueSeconds(em: Em): Promise<number> {
  return (await lag(em))[0]?.seconds ?? 0;
}
