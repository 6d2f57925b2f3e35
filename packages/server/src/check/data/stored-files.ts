import { openFilesToRead } from '../../adapters/open-file-store.ts';
import { parametersOf } from '../../database/inspect/sample.ts';
import { bytesWithoutRows, withoutBytes } from '../../files/check-files.ts';
import { sampleRows } from '../../files/queries/stored-keys.ts';
import { numberOf } from '../../words.ts';
import { Problem, Warning } from '../part.ts';
import { andOthers } from './and-others.ts';
import type { DataContext } from './context.ts';

/** A file that is being uploaded has no row yet. */
const graceMs = 3_600_000;
/** So many stored files are compared with rows for each row that is compared with them. */
const listedPerRow = 50;

/** Looks for some rows whose file is missing, and for files without a row. */
export async function checkStoredFiles({ config, read, sample }: DataContext): Promise<string> {
  const store = await openFilesToRead({ ...config, baseUrl: '' });
  let listed = 0;
  const list = async function* () {
    for await (const file of store.list()) {
      yield file;
      listed += 1;
      if (listed === sample.most * listedPerRow) return;
    }
  };
  return read(async (em) => {
    const rows = await sampleRows(em, ...parametersOf(sample));
    const lost = await Array.fromAsync(withoutBytes(em, store, rows));
    if (lost.length > 0) {
      throw new Problem(
        `${lost.length} of ${rows.length} files are missing: ${andOthers(lost)}`,
        'restore them from a backup; "runward-admin files check" lists all',
      );
    }
    const before = new Date(Date.now() - graceMs);
    const unknown = await Array.fromAsync(bytesWithoutRows(em, { list }, before));
    if (unknown.length > 0) {
      throw new Warning(
        `${unknown.length} of ${listed} stored files belong to no record: ${andOthers(unknown)}`,
        'the service removes them within a day; "runward-admin files check --remove" does it now',
      );
    }
    return `the files of ${numberOf(rows.length, 'record')} are in place, and so are the records of ${numberOf(listed, 'stored file')}`;
  });
}
