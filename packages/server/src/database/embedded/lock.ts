import { DatabaseSync } from 'node:sqlite';

const busy = 5;

/**
 * Locks a file until the result is disposed or this process ends, however it ends. Creates the file if it does not
 * exist. Returns null if the file is locked, but waits half a second first, because other processes lock it for a
 * moment to find out whether it is locked. Node cannot lock files, so SQLite takes a lock of the operating system.
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
