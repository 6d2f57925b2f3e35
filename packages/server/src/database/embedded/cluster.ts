import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { ClusterLocation } from './files.ts';
import { giveAway, run } from './unprivileged.ts';

const draftPrefix = 'postgres-draft-';
/** Stored in the database folder, so that it is backed up and moved together with the database. */
const passwordFileName = 'runward-password';

/**
 * Creates the database files at the first start, checks that the programs can read them, and returns the password of
 * the user `postgres`. The caller must own the location, and no server may run on it.
 */
export async function prepareCluster(location: ClusterLocation, binaries: Binaries, durable: boolean): Promise<string> {
  const { home, pgdata } = location;
  const entries = await readdir(home);
  for (const draft of entries.filter((entry) => entry.startsWith(draftPrefix))) {
    // Retried, because an initdb may still add files after its parent was killed.
    await rm(join(home, draft), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  if (!entries.includes('postgres')) await initialize(location, binaries, durable);

  const version = await readFile(join(pgdata, 'PG_VERSION'), 'utf8').catch(() => 'of unknown version');
  if (version.trim() !== binaries.major) throw new Error(versionMismatch(pgdata, version.trim(), binaries.major));
  const password = await readPassword(pgdata);
  if (password !== undefined) return password;
  throw new Error(
    `${join(pgdata, passwordFileName)} is missing. Restore it from your backup: it contains the password of the database.`,
  );
}

/**
 * The password of the user `postgres`. Undefined if there are no database files, or if this process may not read them.
 */
export async function readPassword(pgdata: string): Promise<string | undefined> {
  const text = await readFile(join(pgdata, passwordFileName), 'utf8').catch(() => undefined);
  return text?.trim();
}

/**
 * Works in a draft folder and moves the result as the last step, so that an interrupted attempt never looks complete.
 */
async function initialize({ home, pgdata }: ClusterLocation, binaries: Binaries, durable: boolean): Promise<void> {
  const draft = await mkdtemp(join(home, draftPrefix));
  const draftData = join(draft, 'postgres');
  const passwordFile = join(draft, passwordFileName);
  await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  for (const path of [passwordFile, draft]) await giveAway(path);
  try {
    await run(binaries.initdb, [
      `--pgdata=${draftData}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      // Sorts by byte like C, but supports upper and lower case of every script, and needs no library of the host.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
    await rename(passwordFile, join(draftData, passwordFileName));
    await rename(draftData, pgdata);
    if (durable) {
      // Without this flush, the rename would not survive a power failure.
      await using handle = await open(home);
      await handle.sync();
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const remedy = 'Set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own.';
    throw new Error(`PostgreSQL could not create its files in ${home}. ${remedy} ${reason}`, { cause });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function versionMismatch(pgdata: string, found: string, major: string): string {
  return (
    `The database files in ${pgdata} were created by PostgreSQL ${found}, but PostgreSQL ${major} is installed. To keep the data, write a ` +
    `dump with pg_dump and the version of this service that created them. To start with an empty database, move the folder away.`
  );
}
