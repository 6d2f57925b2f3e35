import { parseStorageKey, storageKey, type FileStore } from '../adapters/file-store.ts';
import type { Em } from '../database/database.ts';
import { statement } from '../database/statement.ts';

const batchSize = 500;

const knownKeys = statement<{ key: string }>(`
  select storage_key as key from files where storage_key = any($1) and scan_status <> 'INFECTED'
  union all
  select storage_key from template_assets where storage_key = any($1)`);

const nextRows = statement<{ organizationId: string; id: string; key: string }>(`
  select organization_id as "organizationId", id, storage_key as key
  from (
    select organization_id, id, storage_key from files where status = 'STORED' and scan_status <> 'INFECTED'
    union all
    select organization_id, id, storage_key from template_assets
  ) stored
  where (organization_id, id) > ($1, $2) order by organization_id, id limit ${batchSize}`);

const isStored = statement<{ key: string }>(`
  select storage_key as key from files where organization_id = $1 and id = $2
  union all
  select storage_key from template_assets where organization_id = $1 and id = $2`);

/** The keys of stored bytes that no row refers to and that are older than `before`, which spares those of requests in progress. */
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

/** The keys of rows whose bytes are missing. */
export async function* rowsWithoutBytes(em: Em, store: Pick<FileStore, 'find'>): AsyncGenerator<string> {
  let last = { organizationId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const rows = await nextRows(em, last.organizationId, last.id);
    for (const { organizationId, id, key } of rows) {
      // A file may be deleted while the check runs.
      if (!(await store.find(key)) && (await isStored(em, organizationId, id)).length > 0) yield key;
    }
    const end = rows.at(-1);
    if (!end) return;
    last = end;
  }
}

/** Removes the bytes that no row refers to: what a crash left behind. Returns their number. */
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

/** Those of some keys that no row refers to. A thumbnail belongs to the row of its file. Files that the service did not store are not its own. */
async function unknown(em: Em, keys: readonly string[]): Promise<string[]> {
  const owners = new Map(keys.flatMap((key) => ownerOf(key) ?? []));
  if (owners.size === 0) return [];
  const known = new Set((await knownKeys(em, [...owners.values()])).map(({ key }) => key));
  return [...owners].filter(([, owner]) => !known.has(owner)).map(([key]) => key);
}

function ownerOf(key: string): [[key: string, owner: string]] | null {
  const parsed = parseStorageKey(key);
  if (!parsed) return null;
  const { organizationId, kind, id } = parsed;
  return [[key, kind === 'thumbnails' ? storageKey(organizationId, 'files', id) : key]];
}
