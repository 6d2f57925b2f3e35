import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import { leadsToPooler } from '../database/connection/pooler.ts';
import { withClient } from '../database/connection/with-client.ts';
import { openDatabase, type Em } from '../database/database.ts';
import { openDataDir } from '../database/embedded/files.ts';
import { tryLock } from '../database/embedded/lock.ts';
import { ensureDatabase, findRunningEmbedded, startEmbeddedPostgres } from '../database/embedded/postgres.ts';
import { SchemaError } from '../database/errors.ts';
import { ensureMigrated, migrate } from '../database/migrate.ts';
import { inTransaction } from '../database/transaction.ts';
import { MissingPackageError } from '../installation/optional-package.ts';
import { inSchema } from '../settings/database-schema.ts';
import { CommandError, commandError } from './command-error.ts';

const timeBudgetMs = 60_000;

/** A command takes as long as its data needs; between two statements, one may ask a bucket for hundreds of files. */
const unlimited = { query_timeout: 0, statement_timeout: 0, idle_in_transaction_session_timeout: 0 };

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databaseSchema' | 'dataDir' | 'migrateOnStart'>;

/**
 * Runs `work` in one transaction on the database of the service: the one in DATABASE_URL, or the embedded one, which is
 * started for the duration of the command if no service runs on it. The database is migrated first,
 * unless the settings forbid it.
 */
export async function inServiceTransaction<Result>(
  config: DatabaseSettings,
  work: (em: Em) => Promise<Result>,
): Promise<Result> {
  await using started = new AsyncDisposableStack();
  const database = await open(config, started);
  // Awaited, because disposing `started` stops the database.
  return await inTransaction(database, work);
}

/** Runs `work` with the URL of the database of the service, which is found in the same way. It is not migrated. */
export async function withServiceUrl<Result>(
  config: DatabaseSettings,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  await using started = new AsyncDisposableStack();
  return await explained(config, async () => work(await urlOf(config, started)));
}

/**
 * Runs `work` on one connection to that database, without limits of time, because it takes as long as its rows need.
 * Throws a command error if a pooler is in between, because it would share the connection with others.
 */
export async function withServiceClient<Result>(
  config: DatabaseSettings,
  work: (client: Client, url: string) => Promise<Result>,
): Promise<Result> {
  return withServiceUrl(config, async (url) => {
    await ensureNoPooler(url, 'DATABASE_URL');
    return withClient(url, (client) => work(client, url));
  });
}

/** Throws a command error if the URL in a variable leads to a pooler. */
export async function ensureNoPooler(url: string, variable: string): Promise<void> {
  if (!(await leadsToPooler(url))) return;
  throw commandError(`${variable} leads to a pooler. Give this command the URL of PostgreSQL itself.`);
}

function open(config: DatabaseSettings, started: AsyncDisposableStack) {
  return explained(config, async () => {
    const url = await urlOf(config, started);
    await (config.migrateOnStart ? migrate(url) : ensureMigrated(url));
    const database = await openDatabase(url, { poolSize: 2, timeouts: unlimited });
    started.defer(() => database.close());
    return database;
  });
}

async function explained<Result>({ databaseUrl }: DatabaseSettings, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MissingPackageError || error instanceof CommandError) throw error;
    if (error instanceof SchemaError) throw new CommandError(78, [error.message]);
    const remedy = databaseUrl === undefined ? '' : ' Check DATABASE_URL, and that PostgreSQL is running.';
    throw commandError(`Cannot open the database: ${reasonOf(error)}${remedy}`);
  }
}

async function urlOf(config: DatabaseSettings, started: AsyncDisposableStack): Promise<string> {
  return config.databaseUrl ?? inSchema(await embeddedUrl(config.dataDir, started), config.databaseSchema);
}

async function embeddedUrl(dataDir: string, started: AsyncDisposableStack): Promise<string> {
  started.use(await waitForTurn(dataDir));
  const url =
    (await findRunningEmbedded(dataDir)) ?? started.use(await startEmbeddedPostgres({ dataDir })).url('runward');
  await ensureDatabase(url);
  return url;
}

/** Commands run one at a time, because the command that started PostgreSQL stops it when it ends. */
async function waitForTurn(dataDir: string): Promise<Disposable> {
  const file = join(await openDataDir(dataDir), 'admin.lock');
  for (const deadline = Date.now() + timeBudgetMs; Date.now() < deadline; await pause(50)) {
    const lock = tryLock(file);
    if (lock !== null) return lock;
  }
  throw new Error(`Another command has used ${dataDir} for ${timeBudgetMs / 1000} s. Wait until it ends, or stop it.`);
}

/**
 * A host name with several addresses fails once for each, and the AggregateError around these errors has no message.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(' ');
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?\n]$/.test(text) ? text : `${text}.`;
}
