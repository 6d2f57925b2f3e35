import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { contract, type ByteRange } from '@runward/contract';
import { createFolders, removeAbandoned, syncToDisk } from './durable-files.ts';
import type { DownloadDetails, FilesToRead, FileStore, ListedFile, StoredFile, UploadDetails } from './file-store.ts';
import { leavingSpace } from './leave-space.ts';
import { openSigningKey, signToken, verifyToken } from './signed-token.ts';

/** Options of a file store on disk. */
export interface DiskFileStoreOptions {
  /** The folder of the files. Processes that share it serve each other's files. */
  readonly folder: string;
  /** The URL at which clients reach this service, without a trailing slash. */
  readonly baseUrl: string;
}

/** What the token of a URL permits: one purpose and one key. */
type Permission =
  | ({ readonly to: 'download'; readonly key: string } & Omit<DownloadDetails, 'expiresAt'>)
  | ({ readonly to: 'upload'; readonly key: string } & Omit<UploadDetails, 'expiresAt'>);

const keyPattern = /^[\w-]+(\/[\w-]+)+$/;
/** Larger reads are hardly faster, and hold memory until it is collected. */
const readBytes = 64 * 1024;
const reusedBytes = 256 * 1024;

/** Errors that mean that the file system cannot link files, or not these. */
const notLinked: ReadonlySet<unknown> = new Set([
  'EXDEV',
  'EPERM',
  'EACCES',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'ENOSYS',
]);

/**
 * Opens a file store in a folder on disk. Its URLs lead to this service and are signed with a key stored beside the
 * files.
 */
export async function openDiskFileStore({ folder, baseUrl }: DiskFileStoreOptions): Promise<FileStore> {
  const drafts = join(folder, '.partial');
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  await removeAbandoned(drafts);
  const signingKey = await openSigningKey(join(folder, '.signing-key'));
  const pathOf = (key: string) => pathIn(folder, key);

  /** Gives the file a second name if the file system can link it, or else copies it. */
  async function store(from: string, to: string): Promise<void> {
    await createFolders(dirname(to), folder);
    try {
      await syncToDisk(from);
      await link(from, to);
    } catch (error) {
      if (!notLinked.has((error as NodeJS.ErrnoException).code)) throw error;
      await replace(to, (draft) => copyFile(from, draft, constants.COPYFILE_FICLONE));
    }
    await syncToDisk(dirname(to));
  }

  /** Writes a draft and renames it, so that a crash never leaves a partial file under the key. */
  async function replace(to: string, write: (draft: string) => Promise<void>): Promise<void> {
    const draft = join(drafts, randomUUID());
    try {
      await write(draft);
      await syncToDisk(draft);
      await rename(draft, to);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  const urlOf = (permission: Permission, expiresAt: Date) =>
    baseUrl + contract.files.transfer.path.replace(':token', signToken(signingKey, permission, expiresAt));

  return {
    put: async (key, path) => store(path, pathOf(key)),
    copy: async (from, to) => store(pathOf(from), pathOf(to)),
    remove: async (key) => rm(pathOf(key), { force: true }),
    ...filesIn(folder),
    downloadUrl: async (key, { expiresAt, ...details }) => urlOf({ to: 'download', key, ...details }, expiresAt),
    uploadUrl: async (key, { expiresAt, ...details }) => urlOf({ to: 'upload', key, ...details }, expiresAt),
    readSigned: async (token, now) => {
      const signed = verifyToken<Permission>(signingKey, token, now);
      if (signed?.content.to !== 'download') return null;
      const { key, fileName, contentType } = signed.content;
      const file = await fileAt(pathOf(key));
      return file && { key, file, fileName, contentType, expiresAt: signed.expiresAt };
    },
    writeSigned: async (token, now) => {
      const signed = verifyToken<Permission>(signingKey, token, now);
      if (signed?.content.to !== 'upload') return null;
      const { key, contentType, size } = signed.content;
      const path = pathOf(key);
      const write = async (content: AsyncIterable<Uint8Array>) => {
        await createFolders(dirname(path), folder);
        const parts = leavingSpace(folder, content);
        await replace(path, (draft) => writeFile(draft, freeing(parts), { mode: 0o600, flag: 'wx' }));
        await syncToDisk(dirname(path));
      };
      return { key, contentType, size, expiresAt: signed.expiresAt, write };
    },
  };
}

/**
 * Parts that are written one after the other. Frees the memory of each after that, because V8 would only do it by a
 * major collection, after every 30 to 50 MB (decision 0111).
 */
async function* freeing(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    yield part;
    const { buffer } = part;
    // Small parts share memory with others.
    if (buffer instanceof ArrayBuffer && buffer.byteLength === part.byteLength) buffer.transfer(0);
  }
}

/** The files in the folder of a file store, to read them without creating anything in it. */
export function filesIn(folder: string): FilesToRead {
  return { find: async (key) => fileAt(pathIn(folder, key)), list: () => listFiles(folder) };
}

function pathIn(folder: string, key: string): string {
  if (!keyPattern.test(key)) throw new Error(`Not a key of the file store: ${key}`);
  return join(folder, key);
}

async function fileAt(path: string): Promise<StoredFile | null> {
  const size = await stat(path).then(
    (found) => found.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    },
  );
  if (size === null) return null;
  return {
    size,
    open: (range?: ByteRange) => createReadStream(path, { ...range, highWaterMark: readBytes }),
    read: (use) => readFrom(path, use),
  };
}

async function readFrom(path: string, use: (part: Uint8Array) => void): Promise<void> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafe(reusedBytes);
  for (;;) {
    const { bytesRead } = await file.read(buffer);
    if (bytesRead === 0) return;
    use(buffer.subarray(0, bytesRead));
  }
}

/** The files below a folder. Names that begin with a dot belong to the store itself. */
async function* listFiles(root: string, folder = root): AsyncGenerator<ListedFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* listFiles(root, path);
    // There is no result if the file was removed after the folder was read.
    const found = entry.isFile() ? await stat(path).catch(() => null) : null;
    // Linking a file keeps the modification time of its content, which may be older than its key.
    if (found) yield { key: relative(root, path).split(sep).join('/'), size: found.size, storedAt: found.ctime };
  }
}
