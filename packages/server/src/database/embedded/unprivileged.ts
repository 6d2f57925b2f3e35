import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const isRoot = process.getuid?.() === 0;

/**
 * The user id of PostgreSQL, which refuses to run as root. If this process is root, it is `nobody`, the usual user
 * without rights; if not, the user of this process.
 */
export const postgresUid = isRoot ? 65_534 : process.getuid?.();

/**
 * Spawn options of every PostgreSQL program. Programs start in the root folder, because their user may not have access
 * to the folder of this process, and without the `PG...` variables of the host.
 */
export const spawnOptions = {
  ...(isRoot && { uid: postgresUid, gid: postgresUid }),
  cwd: '/',
  env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
};

/** Runs a program and returns its standard output. Throws an error whose message contains its error output. */
export async function run(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(file, args, spawnOptions);
  return stdout;
}

/** Makes the user of PostgreSQL the owner of a file or folder of this process. */
export async function giveAway(path: string): Promise<void> {
  const { uid, gid } = spawnOptions;
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}
