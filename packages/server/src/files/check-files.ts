import { parseStorageKey, storageKey, type FileStore } from '../adapters/file-store.ts';
import type { Em } from '../database/database.ts';
import { batchSize, knownKeys, nextRows, rowOf, servedAmong, type StoredRow } from './queries/stored-keys.ts';

/**
 * The keys of stored bytes that no row refers to. Only bytes older than `before`, because newer ones may belong to
 * requests in progress.
 */
export async function* bytesWithoutRows(em: Em, store: Pick<FileStore, 'list'>, before: Date): AsyncGenerator<string> {
  let batch: string[] = [];
  for await (const { key, storedAt } of store.list()) {
    if (storedAt < before) batch.push(key);
    if (batch.length < batchSize) continue;
    yield* await unknown(em, batch);
    batch = [];
  }
  yield* await unknown(em, batch);
}

/** The keys of all rows whose bytes are missing. */
export async function* rowsWithoutBytes(em: Em, store: Pick<FileStore, 'find'>): AsyncGenerator<string> {
  let last = { organizationId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const rows = await nextRows(em, last.organizationId, last.id);
    yield* withoutBytes(em, store, rows);
    const end = rows.at(-1);
    if (!end) return;
    last = end;
  }
}

/** The keys of those of the rows whose bytes are missing. */
export async function* withoutBytes(
  em: Em,
  store: Pick<FileStore, 'find'>,
  rows: readonly StoredRow[],
): AsyncGenerator<string> {
  for (const { organizationId, id, key } of rows) {
    // A file may be deleted while the check runs.
    if (!(await store.find(key)) && (await rowOf(em, organizationId, id)).length > 0) yield key;
  }
}

/** Removes the bytes that no row refers to, which a crash has left behind. Returns their number. */
export async function removeOrphans(
  em: Em,
  store: Pick<FileStore, 'list' | 'remove'>,
  before: Date,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for await (const key of bytesWithoutRows(em, store, before)) {
    if (signal?.aborted) break;
    await store.remove(key);
    count += 1;
  }
  return count;
}

/**
 * The keys of organizations of this cell that no row refers to. A thumbnail belongs to the row of its file. Keys of
 * files that the service did not store are excluded.
 */
async function unknown(em: Em, keys: readonly string[]): Promise<string[]> {
  const owned = keys.flatMap((key) => {
    const { organizationId, kind, id } = parseStorageKey(key) ?? { organizationId: null };
    if (organizationId === null) return [];
    return { key, organizationId, owner: kind === 'thumbnails' ? storageKey(organizationId, 'files', id) : key };
  });
  if (owned.length === 0) return [];
  const owners = owned.map(({ owner }) => owner);
  const known = new Set((await knownKeys(em, owners)).map(({ key }) => key));
  const organizations = [...new Set(owned.map(({ organizationId }) => organizationId))];
  const served = new Set((await servedAmong(em, organizations)).map(({ id }) => id));
  return owned
    .filter(({ organizationId, owner }) => served.has(organizationId) && !known.has(owner))
    .map(({ key }) => key);
}
