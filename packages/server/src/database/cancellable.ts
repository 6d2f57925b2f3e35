import { sql, type Kysely } from 'kysely';
import type { Em } from './database.ts';
import { againAtPrimary } from './replica/failing-over.ts';
import type { Tables } from './tables.ts';

/**
 * Runs a query in a transaction of its own. Aborting the signal cancels the query in PostgreSQL and rejects the
 * promise.
 */
export async function cancellable<Row>(
  em: Em,
  signal: AbortSignal,
  query: (db: Kysely<Tables>) => Promise<Row[]>,
): Promise<Row[]> {
  const pool = em.getKysely();
  const read = pool.transaction().setAccessMode('read only');
  return againAtPrimary(() =>
    read.execute(async (db) => {
      const { rows } = await sql<{ pid: number; began: string }>`
        select pg_backend_pid() as pid, now()::text as began
      `.execute(db);
      signal.throwIfAborted();
      const cancel = () => {
        // A pooler or another server may have given the process of this number to a query of somebody else.
        // If this fails, the statement timeout ends the query.
        sql`
          select pg_cancel_backend(pid) from pg_stat_activity
          where pid = ${rows[0]?.pid}::int and xact_start = ${rows[0]?.began}::timestamptz
        `
          .execute(pool)
          .catch(() => {});
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        return await query(db);
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    }),
  );
}
