import { sql, type Kysely } from 'kysely';
import type { Em } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Runs a query on a separate connection. Aborting the signal cancels the query in PostgreSQL and rejects the promise.
 */
export async function cancellable<Row>(
  em: Em,
  signal: AbortSignal,
  query: (db: Kysely<Tables>) => Promise<Row[]>,
): Promise<Row[]> {
  const pool = em.getKysely();
  return pool.connection().execute(async (connection) => {
    const { rows } = await sql<{ pid: number; server: string }>`
      select pg_backend_pid() as pid, pg_postmaster_start_time()::text as server
    `.execute(connection);
    signal.throwIfAborted();
    const cancel = () => {
      // The process of this number on another server, such as the primary of a replica, has a query of somebody else.
      // If this fails, the statement timeout ends the query.
      sql`select pg_cancel_backend(${rows[0]?.pid}::int) where pg_postmaster_start_time()::text = ${rows[0]?.server}`
        .execute(pool)
        .catch(() => {});
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await query(connection);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  });
}
