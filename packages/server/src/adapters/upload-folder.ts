import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeAbandoned } from './durable-files.ts';
import { leavingSpace } from './leave-space.ts';

/** A file in the upload folder. */
export interface ReceivedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Lowercase hex SHA-256. */
  readonly sha256: string;
}

/** Stores the files of multipart bodies until their requests end. */
export interface UploadFolder {
  /** Writes a stream to a new file with mode 0600. If the stream fails, the file is removed. */
  receive(content: AsyncIterable<Buffer>): Promise<ReceivedFile>;
  remove(path: string): Promise<void>;
}

/** Opens the folder, which several processes may share, and removes files that killed processes left in it. */
export async function openUploadFolder(folder: string): Promise<UploadFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const remove = (path: string) => rm(path, { force: true });
  await removeAbandoned(folder);
  return {
    receive: async (content) => {
      const path = join(folder, randomUUID());
      const hash = createHash('sha256');
      let size = 0;
      try {
        const measured = async function* () {
          for await (const part of leavingSpace(folder, content)) {
            hash.update(part);
            size += part.length;
            yield part;
          }
        };
        // A pipeline would report an aborted source instead of a full disk.
        await writeFile(path, measured(), { mode: 0o600, flag: 'wx' });
      } catch (error) {
        await remove(path);
        throw error;
      }
      return { path, size, sha256: hash.digest('hex') };
    },
    remove,
  };
}
