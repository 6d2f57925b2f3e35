import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** A folder for the data of one service, as `DATA_DIR`. */
export interface DataFolder extends AsyncDisposable {
  readonly path: string;
}

/** The environment variable that names a folder of database files. New data folders copy them. */
export const clusterVariable = 'TEST_CLUSTER';

/**
 * Creates a data folder. Disposing it deletes it with everything the service left there. `initialized`: copies the
 * empty database of a first start, because initializing one takes half a second.
 */
export async function newDataFolder({ initialized = false } = {}): Promise<DataFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'runward-data-')));
  // If root starts PostgreSQL, it runs as another user, who needs access to the folder.
  await chmod(path, 0o711);
  const cluster = process.env[clusterVariable];
  if (initialized && cluster !== undefined) await copyCluster(cluster, path);
  return { path, [Symbol.asyncDispose]: () => removeDataFolder(path) };
}

/** Deletes the data folder of a stopped service, and its database files if they are elsewhere. */
export async function removeDataFolder(path: string): Promise<void> {
  const outside = (await readFile(join(path, 'postgres-location'), 'utf8').catch(() => '')).trim();
  if (basename(outside).startsWith('runward-')) await rm(outside, { recursive: true, force: true });
  await rm(path, { recursive: true, force: true });
}

/** Copies the database files of a stopped PostgreSQL, with their owner, into a folder. */
async function copyCluster(files: string, folder: string): Promise<void> {
  await promisify(execFile)('cp', ['-Rp', files, folder]);
}
