import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { query } from './collect.ts';
import type { AttachedFile, FileRow, History, StoreReport } from './history.ts';
import { runCheck } from './run-check.ts';

/** Reads the file rows of the database, and their bytes from the data folder. */
export async function collectFiles(databaseUrl: string, dataDir: string): Promise<Pick<History, 'files' | 'attached'>> {
  const rows = await query<Omit<FileRow, 'storedSha256'> & { key: string }>(
    databaseUrl,
    `select id, entry_id as "entryId", status, scan_status as "scanStatus", sha256, storage_key as key from files`,
  );
  const files: FileRow[] = [];
  for (const { key, ...row } of rows) {
    files.push({ ...row, storedSha256: await sha256Of(join(dataDir, 'files', key)) });
  }
  const attached = await query<AttachedFile>(
    databaseUrl,
    `select entry_id as "entryId", jsonb_array_elements_text(value) as "fileId" from field_values
     where field_type = 'FILE_UPLOAD' and jsonb_typeof(value) = 'array'`,
  );
  return { files, attached };
}

/** Compares the file store with the database, removes bytes without rows like the daily job, and compares again. */
export async function checkStore(databaseUrl: string, dataDir: string): Promise<StoreReport> {
  const check = (...options: string[]) =>
    runCheck<{ rowsWithoutBytes: string[]; bytesWithoutRows: string[] }>(
      databaseUrl,
      dataDir,
      'files',
      'check',
      '--recent',
      ...options,
    );
  const { rowsWithoutBytes, bytesWithoutRows: orphans } = await check('--remove');
  const { bytesWithoutRows: left } = await check();
  return { rowsWithoutBytes, orphans, left };
}

async function sha256Of(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}
