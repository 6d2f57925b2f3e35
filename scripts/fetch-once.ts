import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The cache for files that tests need and npm does not provide. */
export const cacheFolder = join(dirname(import.meta.dirname), '.runward-test');

/** Returns the folder `name` of the cache. If it does not exist yet, `fetch` fills it. Throws the errors of `fetch`. */
export async function fetchOnce(name: string, fetch: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  await mkdir(cacheFolder, { recursive: true });
  // Renamed only once complete, so that an interrupted download is not mistaken for a complete one.
  const partial = await mkdtemp(join(cacheFolder, 'fetching-'));
  try {
    await fetch(partial);
    await rename(partial, folder).catch((error: unknown) => {
      // Another process was faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}
