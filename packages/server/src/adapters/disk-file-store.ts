import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contract } from '@runward/contract';
import type { DownloadDetails, FileStore, StoredFile } from './file-store.ts';
import { openSigningKey, signToken, verifyToken } from './signed-token.ts';

/** Options of a file store on disk. */
export interface DiskFileStoreOptions {
  /** The folder of the files. Processes that share it serve each other's files. */
  readonly folder: string;
  /** The URL at which clients reach this service, without a trailing slash. */
  readonly baseUrl: string;
}

const keyPattern = /^[\w-]+(\/[\w-]+)+$/;

/** Opens a file store in a folder on disk. Its URLs point to this service and are signed with a key that is stored next to the files. */
export async function openDiskFileStore({ folder, baseUrl }: DiskFileStoreOptions): Promise<FileStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const signingKey = await openSigningKey(join(folder, '.signing-key'));
  const pathOf = (key: string) => {
    if (!keyPattern.test(key)) throw new Error(`Not a key of the file store: ${key}`);
    return join(folder, key);
  };

  /** Copies to a temporary file and renames it, so that a crash never leaves a partial file under the key. */
  async function store(from: string, to: string): Promise<void> {
    await createFolders(dirname(to), folder);
    const partial = `${to}.${randomUUID()}.partial`;
    try {
      // Shares blocks with the source if the file system can.
      await copyFile(from, partial, constants.COPYFILE_FICLONE);
      await sync(partial);
      await rename(partial, to);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
    await sync(dirname(to));
  }

  return {
    put: async (key, path) => store(path, pathOf(key)),
    copy: async (from, to) => store(pathOf(from), pathOf(to)),
    remove: async (key) => rm(pathOf(key), { force: true }),
    downloadUrl: async (key, { fileName, contentType, expiresAt }) => {
      const token = signToken(signingKey, { key, fileName, contentType }, expiresAt);
      return baseUrl + contract.files.transfer.path.replace(':token', token);
    },
    readSigned: async (token, now) => {
      const signed = verifyToken<{ key: string } & Omit<DownloadDetails, 'expiresAt'>>(signingKey, token, now);
      const file = signed && (await fileAt(pathOf(signed.content.key)));
      if (!file) return null;
      const { fileName, contentType } = signed.content;
      return { file, fileName, contentType, expiresAt: signed.expiresAt };
    },
  };
}

async function fileAt(path: string): Promise<StoredFile | null> {
  const size = await stat(path).then(
    (found) => found.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  return size === null ? null : { size, open: () => createReadStream(path) };
}

/** Creates the folders from `root` down to `path` and flushes each new entry to disk. */
async function createFolders(path: string, root: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let created = path; created !== root; created = dirname(created)) await sync(dirname(created));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
