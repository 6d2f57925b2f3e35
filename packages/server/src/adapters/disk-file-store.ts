import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contract } from '@runward/contract';
import type { DownloadDetails, FileStore, StoredFile } from './file-store.ts';
import { openSigningKey, signToken, verifyToken } from './signed-token.ts';

/** Where the store lies and how clients reach this service. */
export interface DiskFileStoreOptions {
  /** Processes that share it serve each other's files. */
  readonly folder: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
}

const keyPattern = /^[\w-]+(\/[\w-]+)+$/;

/** Files in a folder on disk. URLs lead to this service and are signed with a key that lies beside the files. */
export async function openDiskFileStore({ folder, baseUrl }: DiskFileStoreOptions): Promise<FileStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const signingKey = await openSigningKey(join(folder, '.signing-key'));
  const pathOf = (key: string) => {
    if (!keyPattern.test(key)) throw new Error(`Not a key of the file store: ${key}`);
    return join(folder, key);
  };

  /** Copies beside the target, then renames: a crash never leaves half a file under the key. */
  async function store(from: string, to: string): Promise<void> {
    await makeFolders(dirname(to), folder);
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

/** Makes the folders down from `root` and writes each new entry to disk. */
async function makeFolders(path: string, root: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made !== root; made = dirname(made)) await sync(dirname(made));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
