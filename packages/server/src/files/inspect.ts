import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileTypeFromStream } from 'file-type';
import type { StoredFile } from '../adapters/file-store.ts';

/** What the content of a stored file says about it. */
export interface Inspected {
  /** The media type, detected from the content; null if it is none that can be. */
  readonly detected: string | null;
  /** Lowercase hex SHA-256. */
  readonly sha256: string;
}

/** Reads a stored file, which takes as long as it is large. */
export async function inspect(file: StoredFile): Promise<Inspected> {
  const start = file.open();
  const type = await fileTypeFromStream(Readable.toWeb(start)).finally(() => start.destroy());
  const hash = createHash('sha256');
  await file.read((part) => void hash.update(part));
  return { detected: type?.mime ?? null, sha256: hash.digest('hex') };
}
