import { PostgresBackend } from '@agendajs/postgres-backend';
import type { AgendaBackend } from 'agenda';
import { Pool } from 'pg';
import type { Logger } from 'pino';

/** Where Agenda keeps its jobs. */
export interface JobStore {
  readonly backend: AgendaBackend;
  /** Whether a query is under way. */
  isBusy(): boolean;
  close(): Promise<void>;
}

const closeMs = 1_000;

/**
 * Opens the table of migration 0002 on connections of its own: Agenda cannot read dates as the ORM's connections give them. Throws
 * where the database does not answer, since Agenda would wait for it for ever.
 */
export async function openPostgresBackend(databaseUrl: string, log: Logger): Promise<JobStore> {
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: 'runward-jobs',
    max: 3,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    statement_timeout: 10_000,
    keepAlive: true,
  });
  let isClosing = false;
  const report = (error: Error) => {
    if (!isClosing) log.warn({ err: error }, 'a job connection was lost; another one is opened');
  };
  // Without listeners a lost connection would end the process. Whoever uses one hears of the loss himself.
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await pool.query('select 1');
  } catch (error) {
    await pool.end();
    throw error;
  }

  // Polling is enough; the backend's notifications neither survive a restart of PostgreSQL nor come free.
  const backend = new PostgresBackend({ pool, ensureSchema: false, disableNotifications: true });
  const { repository } = backend;
  const unlock = repository.unlockJob.bind(repository);
  // Agenda does not wait for this call, so that nobody would catch its failure. A lock ends by itself.
  repository.unlockJob = (job) => unlock(job).catch(report);
  return {
    backend,
    isBusy: () => pool.waitingCount > 0 || pool.idleCount < pool.totalCount,
    close: async () => {
      isClosing = true;
      await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
    },
  };
}
