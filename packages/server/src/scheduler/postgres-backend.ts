import { PostgresJobRepository } from '@agendajs/postgres-backend';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import type { JobStore } from './job-store.ts';

/** How many connections to PostgreSQL the jobs of a process use at most, apart from those of their work. */
export const jobConnections = 3;

const closeMs = 1_000;

/**
 * Opens the table `agenda_jobs` on separate connections, because Agenda cannot read dates as the ORM's connections
 * return them. Throws if the database does not respond within 5 s.
 */
export async function openPostgresBackend(databaseUrl: string, log: Logger): Promise<JobStore> {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'runward-jobs',
    max: jobConnections,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    statement_timeout: 5_000,
    keepAlive: true,
  });
  let isClosing = false;
  const report = (error: Error) => {
    if (!isClosing) log.warn({ err: error }, 'job store connection lost; reconnecting');
  };
  // Without a listener, a lost connection would end the process. Callers see the failure on their own query.
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    repository: new PostgresJobRepository({ pool, ensureSchema: false }),
    isBusy: () => pool.waitingCount > 0 || pool.idleCount < pool.totalCount,
    close: async () => {
      isClosing = true;
      await withDeadline(closeMs, pool.end());
    },
  };
}
