import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileTypeFromStream } from 'file-type';
import type { StoredFile } from '../adapters/file-store.ts';

/** The result of inspecting the content of a stored file. */
export interface Inspected {
  /** The media type, detected from the content. Null if it cannot be detected. */
  readonly detected: string | null;
  /** Lowercase hex SHA-256. */
  readonly sha256: string;
}

/** Reads a stored file completely, which takes longer the larger it is. */
export async function inspect(file: StoredFile): Promise<Inspected> {
  const start = file.open();
  const type = await fileTypeFromStream(Readable.toWeb(start)).finally(() => start.destroy());
  const hash = createHash('sha256');
  await file.read((part) => void hash.update(part));
  return { detected: type?.mime ?? null, sha256: hash.digest('hex') };
}
