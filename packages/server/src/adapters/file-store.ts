import type { Readable } from 'node:stream';

/** What a URL to a stored file says of it besides its content. */
export interface DownloadDetails {
  /** Suggested to whoever saves the file. */
  readonly fileName: string;
  readonly contentType: string;
  readonly expiresAt: Date;
}

/** A stored file, ready to be read. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Opens the content; destroying the stream releases it. */
  open(): Readable;
}

/** A file asked for by a URL of the store. */
export interface SignedDownload extends DownloadDetails {
  readonly file: StoredFile;
}

/**
 * Where the bytes of files are kept, by keys like `ORGANIZATION/assets/ID`. A key is written once and never overwritten, so a URL
 * leads to the same bytes until they are removed.
 */
export interface FileStore {
  /** Stores a copy of a local file; durable once this settles. */
  put(key: string, path: string): Promise<void>;
  /** Stores a second copy under another key. */
  copy(from: string, to: string): Promise<void>;
  /** Removes a file; does nothing if there is none. URLs to it stop working. */
  remove(key: string): Promise<void>;
  /** A URL by which anyone can read the file until it expires. */
  downloadUrl(key: string, details: DownloadDetails): Promise<string>;
  /** What the token of a URL of this service leads to; null for a token that is forged, expired or of a removed file. */
  readSigned(token: string, now: Date): Promise<SignedDownload | null>;
}
