import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { FileStore } from '../adapters/file-store.ts';
import type { RunFile } from './entities/run-file.ts';
import { distinctNames } from './file-name.ts';

/** A file for an archive. */
export type ZippedFile = Pick<RunFile, 'storageKey' | 'fileName' | 'size' | 'createdAt'>;

/**
 * A ZIP of stored files, which are read one after the other while the archive is sent. The stream fails if a file
 * cannot be read. Aborting the signal ends the work.
 */
export function zipOf(store: Pick<FileStore, 'find'>, files: readonly ZippedFile[], signal: AbortSignal): Readable {
  const zip = new ZipFile();
  // The types do not declare that this stream is a `Readable`.
  const output = zip.outputStream as Readable;
  let current: Readable | null = null;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  signal.addEventListener('abort', () => fail(new Error('The client disconnected.')));
  output.once('close', () => current?.destroy());

  const names = distinctNames(files.map(({ fileName }) => fileName));
  for (const [index, { storageKey, size, createdAt }] of files.entries()) {
    const options = { mtime: createdAt, compress: false, size };
    zip.addReadStreamLazy(names[index] ?? '', options, (use) => {
      const open = async () => {
        const file = await store.find(storageKey);
        if (!file) throw new Error('A file of the archive was deleted.');
        if (output.destroyed) return;
        current = file.open();
        current.on('error', fail);
        use(null, current);
      };
      // The library does not handle the failure of a source.
      open().catch(fail);
    });
  }
  zip.end();
  return output;
}
