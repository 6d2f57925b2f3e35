import { join } from 'node:path';
import type { FilesKey } from '../config.ts';
import { openDiskFileStore } from './disk-file-store.ts';
import type { FileStore } from './file-store.ts';

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

/** Opens the file store. The SDK for S3 is loaded only if it is used. */
export async function openFileStore({ dataDir, filesUrl, filesKey, baseUrl }: FileStoreSettings): Promise<FileStore> {
  if (filesUrl === undefined) return openDiskFileStore({ folder: join(dataDir, 'files'), baseUrl });
  const { openS3FileStore, parseS3Url } = await import('./s3-file-store.ts');
  return openS3FileStore(parseS3Url(filesUrl), filesKey);
}
