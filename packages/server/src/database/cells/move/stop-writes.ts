import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

/**
 * Whether work that began before the organization was left alone goes on: a lease of a worker, or a transaction that
 * has locked or written something in this cell.
 */
export async function hasEarlierWork(client: Client, organizationId: string): Promise<boolean> {
  const { rows: leases } = await client.query<{ leased: boolean }>(
    `select exists (select from webhooks where organization_id = $1 and leased_until > now())
      or exists (select from mails where organization_id = $1 and lease_token is not null and next_attempt_at > now())
      or exists (select from files where organization_id = $1 and lease_token is not null and next_attempt_at > now())
      as leased`,
    [organizationId],
  );
  if (leases[0]?.leased === true) return true;
  const { rows: since } = await client.query<{ at: string }>(
    'select step_at::text as at from organization_moves where organization_id = $1',
    [organizationId],
  );
  const { rows: transactions } = await client.query(
    `select 1 from pg_stat_activity activity
     where datname = current_database() and backend_type = 'client backend' and xact_start < $1::timestamptz
       and exists (
         select from pg_locks join pg_class on pg_class.oid = pg_locks.relation
         where pg_locks.pid = activity.pid and mode <> 'AccessShareLock'
           and relnamespace = current_schema()::regnamespace)
     limit 1`,
    [since[0]?.at],
  );
  return transactions.length > 0;
}

/** How many seconds ago the step of a move began, by the clock of the database. */
export async function secondsInStep(client: Client, organizationId: string): Promise<number> {
  const { rows } = await client.query<{ seconds: number }>(
    `select extract(epoch from now() - step_at)::float8 as seconds from organization_moves where organization_id = $1`,
    [organizationId],
  );
  return rows[0]?.seconds ?? 0;
}

/** For how long the end of writes is waited for that have begun, in milliseconds. New ones are refused meanwhile. */
const longestWaitMs = 20_000;

/**
 * Waits for the transactions of requests that have found out that they may write. Those that begin later find out that
 * they may not, if the step STOPPED has been committed. Returns false if they take too long. Never waits for the lock
 * itself, because a transaction that has it may need a stronger one, which would be a deadlock.
 */
export async function waitForWrites(client: Client, organizationId: string): Promise<boolean> {
  for (const deadline = performance.now() + longestWaitMs; performance.now() < deadline; await pause(20)) {
    const { rowCount } = await client.query('select from organizations where id = $1 for update skip locked', [
      organizationId,
    ]);
    if (rowCount === 1) return true;
  }
  return false;
}
