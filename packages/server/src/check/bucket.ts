import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { loadS3FileStore } from '../adapters/open-file-store.ts';
import type { FilesKey } from '../config.ts';
import { Problem } from './part.ts';

/** What to do about errors of S3, by their names. */
const keyRemedy = 'check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';
const remedies: Readonly<Record<string, string>> = {
  NoSuchBucket: 'create the bucket, or correct its name',
  InvalidAccessKeyId: keyRemedy,
  SignatureDoesNotMatch: keyRemedy,
  CredentialsProviderError: keyRemedy,
  AccessDenied: `allow the key to list the bucket, and to write, read and delete what is in it, or ${keyRemedy}`,
};

/** Writes, reads and deletes an object in the bucket of `FILES_URL`. Its key belongs to no record. */
export async function checkBucket(url: string, filesKey: FilesKey | undefined): Promise<string> {
  const { openS3FileStore, parseS3Url } = await loadS3FileStore();
  const options = parseS3Url(url);
  const store = openS3FileStore(options, filesKey);
  const key = `check/${randomUUID()}`;
  // This file is at hand, and small.
  const file = import.meta.filename;
  try {
    await store.put(key, file);
    const stored = await store.find(key);
    const content = stored && (await buffer(stored.open()));
    if (!content?.equals(await readFile(file))) throw new Error(`the object ${key} was read with another content`);
    await store.remove(key);
    // Without the permission to list, the service cannot tell a file that is missing from one that is forbidden.
    if ((await store.find(key)) !== null) throw new Error(`the object ${key} is still there after it was deleted`);
  } catch (error) {
    await store.remove(key).catch(() => {});
    throw problemOf(error, options.bucket);
  } finally {
    store.close();
  }
  return `the bucket ${options.bucket} can be written and read`;
}

function problemOf(error: unknown, bucket: string): unknown {
  if (!(error instanceof Error)) return error;
  const isForbidden = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 403;
  const remedy = remedies[error.name] ?? (isForbidden ? remedies['AccessDenied'] : undefined);
  if (remedy === undefined) return error;
  return new Problem(`the bucket ${bucket} cannot be used (${error.name}: ${error.message})`, remedy);
}
