import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { inSchema } from '../../settings/database-schema.ts';
import { ensureDatabase, startEmbeddedPostgres } from './postgres.ts';

/**
 * The URL of the configured database. If none is configured, starts the embedded PostgreSQL, which stops with
 * `started`; `failed` settles if it exits before.
 */
export async function openPostgres(config: Config, log: Logger, started: AsyncDisposableStack) {
  if (config.databaseUrl !== undefined) {
    return { databaseUrl: config.databaseUrl, failed: new Promise<never>(() => {}) };
  }
  const { dataDir, postgresPort: port, databaseSchema } = config;
  const postgres = await startEmbeddedPostgres({ dataDir, port, log: (line) => log.info(line) });
  started.defer(() => postgres.stop());
  const databaseUrl = inSchema(postgres.url('runward'), databaseSchema);
  await ensureDatabase(databaseUrl);
  return {
    databaseUrl,
    failed: postgres.exited.then(
      ({ code, signal }) =>
        new Error(
          `PostgreSQL exited unexpectedly (${signal ?? code}). See why at the end of ${join(dataDir, 'postgres.log')}, and start ` +
            'the service again once the cause is gone.',
        ),
    ),
  };
}
