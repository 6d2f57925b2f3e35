import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes, reads and deletes a file in a folder. The name of the file begins with a dot, as of those that belong to no
 * record. If the folder does not exist, the nearest one above it is tried, and nothing stays there.
 */
export async function checkFolder(folder: string): Promise<string> {
  const existing = await nearestFolder(folder);
  if (existing !== folder) {
    await rmdir(await mkdtemp(join(existing, '.check-')));
    return `${folder} does not exist yet; the first start of the service creates it`;
  }
  const path = join(folder, `.check-${randomUUID()}`);
  try {
    await writeFile(path, path, { flag: 'wx', mode: 0o600 });
    if ((await readFile(path, 'utf8')) !== path) throw new Error(`${path} was read with another content`);
  } finally {
    await rm(path, { force: true });
  }
  return `${folder} can be written and read`;
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return nearestFolder(dirname(path));
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`);
  return path;
}
