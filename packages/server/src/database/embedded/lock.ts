import { DatabaseSync } from 'node:sqlite';

const busy = 5;

/**
 * Locks a file, which is created if it does not exist, until the result is disposed or this process ends, however it ends. Null if it is
 * locked; waits half a second before, because others lock it for a moment to see whether it is. Node itself cannot lock files; SQLite takes
 * a lock of the operating system.
 */
export function tryLock(file: string): Disposable | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 500 });
    database.exec('begin exclusive');
    return database;
  } catch (cause) {
    database?.close();
    if ((cause as { errcode?: number }).errcode === busy) return null;
    throw new Error(
      `Cannot lock ${file}. Run this as the user who started the service, or set DATA_DIR to a folder of this user.`,
      { cause },
    );
  }
}
