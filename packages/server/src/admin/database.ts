import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { openDatabase, type Em } from '../database/database.ts';
import { takeOwnership } from '../database/embedded/owner.ts';
import { openDataDir } from '../database/embedded/files.ts';
import { ensureDatabase, findRunningEmbedded, startEmbeddedPostgres } from '../database/embedded/postgres.ts';
import { migrate } from '../database/migrate.ts';
import { inTransaction } from '../database/transaction.ts';
import { refused } from './command-error.ts';

const timeBudgetMs = 60_000;

/**
 * Works in one transaction on the database the service uses: that of DATABASE_URL, or the embedded one, which is started for the time
 * being where no service runs on it. An empty or older database is brought up to date first.
 */
export async function withDatabase<Result>(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (em: Em) => Promise<Result>,
): Promise<Result> {
  await using started = new AsyncDisposableStack();
  const database = await open(config, started);
  // Awaited here: what was started stops as this returns.
  return await inTransaction(database, work);
}

async function open({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>, started: AsyncDisposableStack) {
  try {
    const url = databaseUrl ?? (await embeddedUrl(dataDir, started));
    await migrate(url);
    const database = await openDatabase(url, { poolSize: 2 });
    started.defer(() => database.close());
    return database;
  } catch (error) {
    const remedy = databaseUrl === undefined ? '' : ' Check DATABASE_URL, and that PostgreSQL is running.';
    throw refused(`Cannot open the database: ${reasonOf(error)}${remedy}`);
  }
}

async function embeddedUrl(dataDir: string, started: AsyncDisposableStack): Promise<string> {
  started.defer(await takeTurn(dataDir));
  const url =
    (await findRunningEmbedded(dataDir)) ?? started.use(await startEmbeddedPostgres({ dataDir })).url('runward');
  await ensureDatabase(url);
  return url;
}

/** Commands wait for each other: one that worked on the PostgreSQL of another would lose it as soon as that one is done. */
async function takeTurn(dataDir: string): Promise<() => Promise<void>> {
  const folder = join(await openDataDir(dataDir), 'admin');
  await mkdir(folder, { recursive: true });
  for (const deadline = Date.now() + timeBudgetMs; ; await pause(50)) {
    try {
      return await takeOwnership(folder);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** An address with several meanings fails once for each; the error around them has no words of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(' ');
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?\n]$/.test(text) ? text : `${text}.`;
}
