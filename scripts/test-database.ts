import { join } from 'node:path';
import { ensureDatabase, startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { clusterVariable, newDataFolder } from '@runward/testing/data-folder';
import { cellsVariable } from '@runward/testing/database';

const TEMPLATE = 'runward_template';

/** Work on the database. It gets the environment variables that name the database. */
type Run<Result> = (environment: Record<string, string>) => Promise<Result>;

/**
 * Runs something on a throw-away PostgreSQL, or on the one in `TEST_POSTGRES_URL`, with a migrated database to clone.
 * Also sets the variable that makes further clusters start faster.
 */
export async function onTestDatabase<Result>(run: Run<Result>): Promise<Result> {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given && process.env[cellsVariable] === 'true') return run({ TEST_DATABASE_URL: given, [cellsVariable]: 'true' });
  if (given) return prepared((database) => Object.assign(new URL(given), { pathname: `/${database}` }).href, run);
  await using pristine = await newDataFolder();
  await (await startEmbeddedPostgres({ dataDir: pristine.path, durable: false })).stop();
  process.env[clusterVariable] = join(pristine.path, 'postgres');
  await using folder = await newDataFolder({ initialized: true });
  await using postgres = await startEmbeddedPostgres({
    dataDir: folder.path,
    durable: false,
    settings: { max_connections: '400' },
  });
  return await prepared(postgres.url, run);
}

async function prepared<Result>(url: (database: string) => string, run: Run<Result>): Promise<Result> {
  const template = url(TEMPLATE);
  await ensureDatabase(template);
  await migrate(template);
  return run({ TEST_DATABASE_URL: url('postgres'), TEST_TEMPLATE_DATABASE: TEMPLATE });
}
