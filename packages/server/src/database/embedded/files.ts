import { chmod, mkdir, mkdtemp, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresUid, run } from './unprivileged.ts';

/** Where an embedded PostgreSQL is. */
export interface ClusterLocation {
  /** The configured data folder. */
  readonly dataDir: string;
  /**
   * The parent of the database files: `dataDir`, or a folder outside if the user of PostgreSQL cannot enter `dataDir`.
   */
  readonly home: string;
  /** The database files (PGDATA), owned by the user of PostgreSQL. */
  readonly pgdata: string;
}

/** Creates `dataDir` if it does not exist and returns its real path. */
export async function openDataDir(dataDir: string): Promise<string> {
  // Only a new folder gets this mode. The user of PostgreSQL must be able to enter it; nobody else needs to list it.
  if (await mkdir(dataDir, { recursive: true })) await chmod(dataDir, 0o711);
  return realpath(dataDir);
}

/** This file contains the path of the home, if the home is outside. */
const locationFile = (dataDir: string) => join(dataDir, 'postgres-location');

/** Where the database of `dataDir` is, or will be if the folder is suitable. */
export async function locationOf(dataDir: string): Promise<ClusterLocation> {
  const outside = await readFile(locationFile(dataDir), 'utf8').catch(() => '');
  return locationIn(dataDir, outside.trim() || dataDir);
}

/** Like `locationOf`, but can choose another home at the first start. Throws if PostgreSQL cannot use the files. */
export async function prepareLocation(dataDir: string, log: (line: string) => void): Promise<ClusterLocation> {
  const location = await locationOf(dataDir);
  const { home, pgdata } = location;
  if (home !== dataDir && !(await stat(home).catch(() => null))) throw new Error(missing(dataDir, home));
  const files = await stat(pgdata).catch(() => null);
  if (files && files.uid !== postgresUid) throw new Error(foreign(pgdata, files.uid));
  if (await canEnter(home)) return location;
  if (files) throw new Error(unreachable(home));
  const outside = await makeHomeOutside(dataDir);
  log(`PostgreSQL runs as uid ${postgresUid}, which cannot enter ${dataDir}: the database files are in ${outside}`);
  return locationIn(dataDir, outside);
}

function locationIn(dataDir: string, home: string): ClusterLocation {
  return { dataDir, home, pgdata: join(home, 'postgres') };
}

/** Tries to enter the folder, because the modes do not show access lists and mounts. */
async function canEnter(folder: string): Promise<boolean> {
  return run('/bin/sh', ['-c', 'cd "$0"', folder]).then(
    () => true,
    () => false,
  );
}

async function makeHomeOutside(dataDir: string): Promise<string> {
  const home = await mkdtemp('/var/lib/runward-').catch((cause: unknown) => {
    throw new Error(unreachable(dataDir), { cause });
  });
  await chmod(home, 0o711);
  await writeFile(join(home, 'data-dir'), `${dataDir}\n`);
  await writeFile(locationFile(dataDir), `${home}\n`, { mode: 0o600 });
  return home;
}

function foreign(pgdata: string, owner: number): string {
  return (
    `The database files in ${pgdata} belong to uid ${owner}, but PostgreSQL would run as uid ${postgresUid}. Start as the user who ` +
    `started first, give the files away as root with: chown -R ${postgresUid}:${postgresUid} '${pgdata}', or set DATA_DIR to another folder.`
  );
}

function unreachable(folder: string): string {
  return (
    `PostgreSQL runs as uid ${postgresUid}, because it refuses to run as root, and this user cannot enter ${folder}. Start as an ` +
    'ordinary user, set DATA_DIR to a folder that every user can enter (such as /srv/runward), or set DATABASE_URL to a PostgreSQL of ' +
    'your own.'
  );
}

function missing(dataDir: string, home: string): string {
  return (
    `The database files of ${dataDir} were kept in ${home}, which does not exist. Restore that folder, or delete ` +
    `${locationFile(dataDir)} to start with an empty database.`
  );
}
