import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { newDataFolder } from '@runward/testing/data-folder';

/** A PostgreSQL whose data is in a folder that stays, or in a new one that the stack deletes. The stack stops it. */
export async function startDatabase(
  given: string | undefined,
  stack: AsyncDisposableStack,
): Promise<{ readonly postgres: EmbeddedPostgres; readonly folder: string }> {
  if (given !== undefined) await mkdir(given, { recursive: true });
  const folder = given === undefined ? stack.use(await newDataFolder()).path : resolve(given);
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
  stack.defer(() => postgres.stop());
  return { postgres, folder };
}
