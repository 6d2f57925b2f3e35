import { join } from 'node:path';
import type { FilesKey } from '../config.ts';
import { loadIfInstalled, MissingPackageError } from '../installation/optional-package.ts';
import { filesIn, openDiskFileStore } from './disk-file-store.ts';
import type { FilesToRead, FileStore } from './file-store.ts';

/** Where files are stored, according to the configuration. */
export interface FileStoreSettings {
  readonly dataDir: string;
  /** Like `s3://BUCKET?endpoint=URL&region=NAME`. If undefined, files are in the data folder. */
  readonly filesUrl: string | undefined;
  /** The key for that bucket. If undefined, the tools of AWS find one themselves. */
  readonly filesKey: FilesKey | undefined;
  /** The URL at which clients reach this service, without a trailing slash. */
  readonly baseUrl: string;
}

/** Opens the file store. Throws an error that says what to do if the client for S3 is needed and not installed. */
export async function openFileStore({ dataDir, filesUrl, filesKey, baseUrl }: FileStoreSettings): Promise<FileStore> {
  if (filesUrl === undefined) return openDiskFileStore({ folder: join(dataDir, 'files'), baseUrl });
  const { openS3FileStore, parseS3Url } = await loadS3FileStore();
  return openS3FileStore(parseS3Url(filesUrl), filesKey);
}

/** What the file store has, to read it without creating anything, not even a folder. */
export async function openFilesToRead(settings: FileStoreSettings): Promise<FilesToRead> {
  return settings.filesUrl === undefined ? filesIn(join(settings.dataDir, 'files')) : openFileStore(settings);
}

/**
 * Loads the file store on S3, whose client is a separate package. Throws an error that names the package if it is
 * missing.
 */
export async function loadS3FileStore() {
  const name = '@runward/s3';
  const loaded = await loadIfInstalled(name, () => import('./s3-file-store.ts'));
  if (loaded !== null) return loaded;
  throw new MissingPackageError(name, {
    setting: 'FILES_URL',
    need: 'a bucket',
    instead: 'remove the setting to store files in DATA_DIR',
  });
}
