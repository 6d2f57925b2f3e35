import { randomUUID } from 'node:crypto';
import { link, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, startTimeOf } from './process.ts';

/**
 * Makes this process the only owner of `folder` and returns a function that releases it. Throws if a live process owns it.
 *
 * A lock file contains a process number and the start time of that process, so a reused number is not mistaken for the owner. Unlike a
 * lock that expires, it is free as soon as its owner dies, and a suspended owner keeps it. Lock files are numbered, and a new owner
 * creates the next number instead of replacing a file: of two processes that find the same dead owner, one wins.
 */
export async function takeOwnership(folder: string): Promise<() => Promise<void>> {
  for (;;) {
    const newest = await newestLock(folder);
    const owner = await liveOwner(lockFile(folder, newest));
    if (owner !== undefined) throw new Error(rejection(folder, owner));

    const mine = newest + 1;
    if (!(await create(lockFile(folder, mine)))) continue;
    // A process that was slow to read the folder may have reused a number that later owners have already removed.
    if ((await newestLock(folder)) !== mine) {
      await rm(lockFile(folder, mine), { force: true });
      continue;
    }
    for (const number of await lockNumbers(folder)) {
      if (number < mine) await rm(lockFile(folder, number), { force: true });
    }
    // An empty file has no owner but keeps its number taken. If the folder was deleted, it is free as well.
    return () => truncate(lockFile(folder, mine)).catch(() => {});
  }
}

/** Whether a live process owns `folder`. */
export async function hasOwner(folder: string): Promise<boolean> {
  return (await liveOwner(lockFile(folder, await newestLock(folder)))) !== undefined;
}

function rejection(folder: string, pid: number): string {
  const who = pid === process.pid ? 'this process' : `process ${pid}`;
  return `The data folder ${folder} is in use by ${who}. Stop it first, or set DATA_DIR to another folder.`;
}

const lockFile = (folder: string, number: number) => join(folder, `owner-${number}.lock`);

async function lockNumbers(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).map((name) => /^owner-(\d+)\.lock$/.exec(name)?.[1]);
  return numbers.filter((number) => number !== undefined).map(Number);
}

async function newestLock(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)));
}

async function liveOwner(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
  const [pid, startTime] = text.split('\n');
  return pid && startTime && (await startTimeOf(Number(pid))) === startTime ? Number(pid) : undefined;
}

/** Creates the lock file with its content atomically; returns false if another process has created it. */
async function create(file: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${process.pid}\n${await startTimeOf(process.pid)}\n`);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
