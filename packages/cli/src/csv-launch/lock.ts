import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { failure } from '../errors.ts';

/**
 * Keeps a second process from launching the same file at the same time. The lock is a file that names its process, so that one
 * left behind by a process that was killed can be told and taken over.
 *
 * @throws CliError when another process holds it
 */
export async function lock(path: string): Promise<AsyncDisposable> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname() });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeFile(path, mine, { flag: 'wx', mode: 0o600 });
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
        throw failure(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
      }
    }
    const holder = await readFile(path, 'utf8').catch(() => '');
    if (attempt === 5 || isAlive(holder)) {
      throw failure(
        `Another process is launching this file. If you are sure that none is, delete ${path} and try again.`,
      );
    }
    await takeAway(path, holder);
  }
}

// Only one of several processes can rename the file; whoever got a fresh lock instead of the stale one puts it back.
async function takeAway(path: string, stale: string): Promise<void> {
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
    // A process of another machine cannot be asked.
    if (host !== hostname()) return true;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
