import { execFile } from 'node:child_process';
import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeEmbeddedPostgres } from '@runward/server/internal/database/embedded/files';

/** A folder for the data of one service, as `DATA_DIR`. */
export interface DataFolder extends AsyncDisposable {
  readonly path: string;
}

/** The environment variable with the folder of a data folder's database files to copy. */
export const clusterVariable = 'TEST_CLUSTER';

/**
 * Creates a data folder; disposing deletes it with everything the service left there. `initialized`: with the empty database of
 * a first start, which is copied, because initializing one takes half a second.
 */
export async function newDataFolder({ initialized = false } = {}): Promise<DataFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'runward-data-')));
  // Started by root, PostgreSQL runs as another user, which must be able to enter the folder.
  await chmod(path, 0o711);
  const cluster = process.env[clusterVariable];
  if (initialized && cluster !== undefined) await copyCluster(cluster, path);
  return { path, [Symbol.asyncDispose]: () => removeEmbeddedPostgres(path) };
}

/** Copies the database files of a stopped PostgreSQL, with their owner, into a folder. */
export async function copyCluster(files: string, folder: string): Promise<void> {
  await promisify(execFile)('cp', ['-Rp', files, folder]);
}
