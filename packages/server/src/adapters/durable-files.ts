import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Much longer than any part of an upload can take. */
const abandonedMs = 3_600_000;

/** Flushes a file, or the entries of a folder, to disk. */
export async function syncToDisk(path: string): Promise<void> {
  await using handle = await open(path, constants.O_RDONLY);
  await handle.sync();
}

/** Creates the folders from `root` down to `path` and flushes each new entry to disk. */
export async function createFolders(path: string, root: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let created = path; created !== root; created = dirname(created)) await syncToDisk(dirname(created));
}

/** Removes what killed processes left in a folder: files and folders that were not written to for an hour. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandonedMs) await rm(path, { force: true, recursive: true });
  }
}
