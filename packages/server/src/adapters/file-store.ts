import type { Readable } from 'node:stream';

/** The properties of a download URL. */
export interface DownloadDetails {
  /** The name under which browsers save the file. */
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

/** A file that was requested by a URL of the store. */
export interface SignedDownload extends DownloadDetails {
  readonly file: StoredFile;
}

/**
 * Stores the bytes of files under keys like `ORGANIZATION/assets/ID`. A key is written once and never overwritten, so a URL returns the
 * same bytes until the file is removed.
 */
export interface FileStore {
  /** Stores a copy of a local file, which is durable once the promise is fulfilled. */
  put(key: string, path: string): Promise<void>;
  /** Stores a second copy under another key. */
  copy(from: string, to: string): Promise<void>;
  /** Removes a file if it exists. Its URLs stop working. */
  remove(key: string): Promise<void>;
  /** A URL with which anyone can download the file until it expires. */
  downloadUrl(key: string, details: DownloadDetails): Promise<string>;
  /** The file of a download URL's token; null if the token is forged or expired, or the file was removed. */
  readSigned(token: string, now: Date): Promise<SignedDownload | null>;
}
