import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { canEnter, newAccount } from './account.ts';
import type { Account } from './process.ts';

/** The location of an embedded PostgreSQL cluster, and the account that runs it. */
export interface ClusterLocation {
  /** The configured data folder. */
  readonly dataDir: string;
  /** The parent of the database files: `dataDir`, or a folder outside if the account cannot enter that. */
  readonly home: string;
  /** The database files themselves (PGDATA), owned by the account. */
  readonly pgdata: string;
  readonly account: Account;
}

/** Creates `dataDir` if it does not exist and returns its real path. */
export async function openDataDir(dataDir: string): Promise<string> {
  // Only a new folder gets this mode: the account must be able to enter it, and no one else needs to list it.
  if (await mkdir(dataDir, { recursive: true })) await chmod(dataDir, 0o711);
  return realpath(dataDir);
}

/** Finds the location of the database files of `dataDir`, or chooses it at the first start. The caller must own `dataDir`. */
export async function locateCluster(dataDir: string, log: (line: string) => void): Promise<ClusterLocation> {
  const outside = await homeOutside(dataDir);
  if (outside !== undefined && !(await exists(outside))) throw new Error(missing(dataDir, outside));
  let home = outside ?? dataDir;
  const account = await accountOf(join(home, 'postgres'));
  if (account.uid !== undefined && !(await canEnter(account, home))) {
    if (await exists(join(home, 'postgres'))) throw new Error(unreachable(home, account));
    home = await makeHomeOutside(dataDir, account);
    log(`PostgreSQL runs as uid ${account.uid}, which cannot enter ${dataDir}: the database files are in ${home}`);
  }
  return { dataDir, home, pgdata: join(home, 'postgres'), account };
}

/** The path of the database files of `dataDir`, whether or not they exist. Changes nothing, so the caller need not own `dataDir`. */
export async function databaseFilesOf(dataDir: string): Promise<string> {
  return join((await homeOutside(dataDir)) ?? dataDir, 'postgres');
}

/** Deletes `dataDir` with its content, and its database files outside. PostgreSQL must be stopped. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const outside = await homeOutside(dataDir);
  // The path is read from a file; if that is damaged, nothing else may be deleted.
  if (outside !== undefined && basename(outside).startsWith('runward-'))
    await rm(outside, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}

const locationFile = (dataDir: string) => join(dataDir, 'postgres-location');

async function homeOutside(dataDir: string): Promise<string | undefined> {
  const path = await readFile(locationFile(dataDir), 'utf8').catch(() => '');
  return path.trim() || undefined;
}

/** Prefers `/var/lib`, because many systems delete files from `/var/tmp` that were not used for a month. */
async function makeHomeOutside(dataDir: string, account: Account): Promise<string> {
  for (const base of ['/var/lib', '/var/tmp']) {
    const home = await mkdtemp(join(base, 'runward-')).catch(() => undefined);
    if (home === undefined) continue;
    await chmod(home, 0o711);
    if (await canEnter(account, home)) {
      await writeFile(join(home, 'data-dir'), `${dataDir}\n`);
      await writeFile(locationFile(dataDir), `${home}\n`, { mode: 0o600 });
      return home;
    }
    await rm(home, { recursive: true });
  }
  throw new Error(unreachable(dataDir, account));
}

async function accountOf(pgdata: string): Promise<Account> {
  const owner = await stat(pgdata).catch(() => undefined);
  const uid = process.getuid?.();
  if (uid === 0) {
    if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
    const account = await newAccount();
    if (owner === undefined) return account;
    throw new Error(
      `PostgreSQL cannot use ${pgdata}, because root owns it. Run: chown -R ${account.uid}:${account.gid} '${pgdata}'`,
    );
  }
  if (owner === undefined || owner.uid === uid) return {};
  throw new Error(
    `The database files in ${pgdata} belong to uid ${owner.uid}, but this process runs as uid ${uid}. Start it as ` +
      'the user who started it first, give the files to this user with chown -R, or set DATA_DIR to another folder.',
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function unreachable(folder: string, { uid }: Account): string {
  return (
    `PostgreSQL does not run as root, and uid ${uid}, which it would run as, cannot enter ${folder}. ` +
    'Start as a normal user, set DATA_DIR to a folder that every user can enter (such as /srv/runward), ' +
    'or set DATABASE_URL to a PostgreSQL of your own.'
  );
}

function missing(dataDir: string, home: string): string {
  return (
    `The database files of ${dataDir} were kept in ${home}, which does not exist. Restore that folder, or delete ` +
    `${locationFile(dataDir)} to start with an empty database.`
  );
}
