import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repository } from '@runward/testing/program';
import { checkOut, lastRelease } from '@runward/testing/releases/release';

/**
 * The folder of the version that half of the processes run: a folder with a clone and its dependencies, a tag, or
 * `release` for the last release. Null if there is no release yet, which is logged.
 */
export function besideOf(version: string, log: (line: string) => void): string | null {
  const folder = resolve(version);
  if (existsSync(join(folder, 'packages/server/src/bin.ts'))) return folder;
  const tag = version === 'release' ? lastRelease(repository) : version;
  if (tag === null)
    log('There is no tag v* yet, so there is no release to run beside: all processes run this version.');
  return tag === null ? null : checkOut(repository, tag);
}
