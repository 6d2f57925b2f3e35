import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedPostgres } from '@runward/server/internal/database/embedded/files';

/** A folder for the data of one service, as `DATA_DIR`. */
export interface DataFolder extends AsyncDisposable {
  readonly path: string;
}

/** Creates an empty data folder; disposing deletes it with everything the service left there. */
export async function newDataFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'runward-data-'));
  // Started by root, PostgreSQL runs as another user, which must be able to enter the folder.
  await chmod(path, 0o711);
  return { path, [Symbol.asyncDispose]: () => removeEmbeddedPostgres(path) };
}
