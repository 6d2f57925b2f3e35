import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { failure } from '../errors.ts';
import { hasCode, unwritable } from '../file-errors.ts';

/**
 * Prevents two processes from launching the same file at the same time. The lock is a file that names its process, so
 * that the lock of a killed process is recognized and taken over. A lock with an expiry would block for seconds after a
 * crash, and could be taken from a suspended process.
 *
 * @throws CliError if another process holds it
 */
export async function lock(path: string): Promise<AsyncDisposable> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname() });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeFile(path, mine, { flag: 'wx', mode: 0o600 });
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw unwritable(path, error);
    }
    const holder = await readFile(path, 'utf8').catch(() => '');
    if (attempt === 5 || isAlive(holder)) {
      throw failure(
        `Another process is launching this file. If you are sure that there is none, delete ${path} and try again.`,
      );
    }
    await removeStale(path, holder);
  }
}

// Several processes may try this at once, but only one can rename the file. If the renamed file turns out to be the new
// lock of another process, it is put back.
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) === stale) await rm(aside, { force: true });
  else await rename(aside, path);
}

function isAlive(holder: string): boolean {
  try {
    const { pid, host }: { pid: number; host: string } = JSON.parse(holder);
    // A process of another machine cannot be checked.
    if (host !== hostname()) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
