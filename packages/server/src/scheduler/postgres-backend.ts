import { PostgresJobRepository } from '@agendajs/postgres-backend';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import type { JobStore } from './job-store.ts';

const closeMs = 1_000;

/**
 * Opens the table of migration 0002 on connections of its own: Agenda cannot read dates as the ORM's connections give them. Throws
 * where the database does not respond, within 5 s.
 */
export async function openPostgresBackend(databaseUrl: string, log: Logger): Promise<JobStore> {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'runward-jobs',
    max: 3,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    statement_timeout: 5_000,
    keepAlive: true,
  });
  let isClosing = false;
  const report = (error: Error) => {
    if (!isClosing) log.warn({ err: error }, 'job store connection lost; reconnecting');
  };
  // Without subscribers a lost connection would end the process. Whoever uses one hears of the loss himself.
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
      await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
    },
  };
}
