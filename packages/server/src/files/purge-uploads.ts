import type { FileStore } from '../adapters/file-store.ts';
import type { Em } from '../database/database.ts';
import { inBatches } from '../database/in-batches.ts';
import { expireUploads } from './queries/expire-uploads.ts';

const batchSize = 100;

/**
 * Deletes the uploads of all organizations that were not confirmed in time, and then their bytes. The signal ends it
 * between two batches.
 */
export async function purgeUploads(em: Em, store: Pick<FileStore, 'remove'>, signal: AbortSignal): Promise<void> {
  await inBatches(signal, batchSize, async () => {
    const expired = await expireUploads(em, batchSize);
    for (const { key } of expired) await store.remove(key);
    return expired.length;
  });
}
