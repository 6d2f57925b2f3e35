import type { FileStore } from '../adapters/file-store.ts';
import type { Em } from '../database/database.ts';
import { statement } from '../database/statement.ts';

const batchSize = 100;

const expire = statement<{ key: string }>(`
  with expired_file as (
    select organization_id, id from files where expires_at <= now() limit $1 for update skip locked
  )
  delete from files file using expired_file
  where file.organization_id = expired_file.organization_id and file.id = expired_file.id
  returning file.storage_key as key`);

/** Deletes the uploads of all organizations that nobody has confirmed in time, and then their bytes. The signal ends it between two. */
export async function purgeUploads(em: Em, store: Pick<FileStore, 'remove'>, signal: AbortSignal): Promise<void> {
  let expired: { key: string }[];
  do {
    expired = await expire(em, batchSize);
    for (const { key } of expired) await store.remove(key);
  } while (expired.length === batchSize && !signal.aborted);
}
