import { randomInt } from 'node:crypto';
import { lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterLocation } from './files.ts';
import { type Account, run } from './process.ts';

/** On nearly every system this id is `nobody`, which other programs use as well. */
const nobodyId = 65_534;

/** Ids that systems assign to no account: high ones, and some for containers that have only 65,536 ids. */
const freeIds = [
  [0x7000_0000, 0x7800_0000],
  [60_706, 61_184],
] as const;

/**
 * A random user id and group id for a PostgreSQL that root starts, because PostgreSQL refuses to run as root. No account is created: the
 * owner of the database files is where the ids are stored.
 */
export async function newAccount(): Promise<Account> {
  for (const [first, end] of freeIds) {
    const id = randomInt(first, end);
    const account = { uid: id, gid: id };
    if (await canEnter(account, '/')) return account;
  }
  throw new Error(
    'PostgreSQL does not run as root, and this process cannot start programs as another user. Start it as a normal user, or set ' +
      'DATABASE_URL to a PostgreSQL of your own.',
  );
}

/**
 * The account that creates the files of `account`. Initializing requires a user with a name, so it runs as `nobody`, but in the group of the
 * account: other programs of `nobody` are not in it.
 */
export function initializerOf({ uid, gid }: Account): Account {
  return uid === undefined || gid === undefined ? {} : { uid: nobodyId, gid };
}

/**
 * Gives the database files that an earlier version created as `nobody` an owner of their own. No server may run on them. Returns the
 * location with the new account, or as it was if the files have another owner or a new one could not enter their folder.
 */
export async function replaceNobody(location: ClusterLocation, log: (line: string) => void): Promise<ClusterLocation> {
  const { home, pgdata } = location;
  if (location.account.uid !== nobodyId) return location;
  const account = await newAccount();
  if (!(await canEnter(account, home))) {
    log(
      `PostgreSQL runs as uid ${nobodyId}, which other programs use as well. Let every user enter ${home} (chmod o+x) and start again ` +
        'to give it a uid of its own.',
    );
    return location;
  }
  await giveFolder(account, pgdata);
  log(
    `the database files in ${pgdata} now belong to uid ${account.uid} instead of ${nobodyId}, which other programs use as well`,
  );
  return { ...location, account };
}

/** Makes an account the owner of a folder and its content. The folder itself is last, so that an interrupted attempt is repeated. */
export async function giveFolder({ uid, gid }: Account, folder: string): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, gid);
  await lchown(folder, uid, gid);
}

/** Whether an account can enter a folder. Tried rather than computed from modes, to account for access lists and mounts. */
export async function canEnter(account: Account, folder: string): Promise<boolean> {
  return run(account, '/bin/sh', ['-c', 'cd "$0"', folder]).then(
    () => true,
    () => false,
  );
}
