import type { Readable } from 'node:stream';
import type { ByteRange } from '@runward/contract';

/** The properties of a download URL. */
export interface DownloadDetails {
  /** The name under which browsers save the file. */
  readonly fileName: string;
  readonly contentType: string;
  readonly expiresAt: Date;
}

/** The properties of an upload URL. */
export interface UploadDetails {
  /** The only media type that is accepted. */
  readonly contentType: string;
  /** The only size that is accepted, in bytes. */
  readonly size: number;
  readonly expiresAt: Date;
}

/** A stored file, ready to be read. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Opens the content, or a part of it; destroying the stream releases it. */
  open(range?: ByteRange): Readable;
  /**
   * Passes the content on in parts, each valid only during the call: large files need no more memory than small ones.
   */
  read(use: (part: Uint8Array) => void): Promise<void>;
}

/** A file in the listing of a store. */
export interface ListedFile {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly storedAt: Date;
}

/** A file that was requested by a URL of the store. */
export interface SignedDownload extends DownloadDetails {
  readonly key: string;
  readonly file: StoredFile;
}

/** The permission to store a file that a URL of the store grants. */
export interface SignedUpload extends UploadDetails {
  readonly key: string;
  /**
   * Stores the content, which is durable once the promise is fulfilled. Stores nothing if reading the content fails.
   * Frees the parts, so nothing else may use them.
   */
  write(content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** What is stored, to read it. */
export type FilesToRead = Pick<FileStore, 'find' | 'list'>;

/**
 * Stores the bytes of files under keys like `ORGANIZATION/files/ID`. A key is written once, so a URL returns the same
 * bytes until the file is removed. Only a key with an upload URL can be overwritten, while that URL is valid.
 */
export interface FileStore {
  /** Stores a copy of a local file, which is durable once the promise is fulfilled. */
  put(key: string, path: string): Promise<void>;
  /** Stores a second copy under another key. */
  copy(from: string, to: string): Promise<void>;
  /** Removes a file, if it exists. Its URLs stop working. */
  remove(key: string): Promise<void>;
  /** A stored file, or null. */
  find(key: string): Promise<StoredFile | null>;
  /** All files, in no particular order. Files that are stored during the call may be missing. */
  list(): AsyncIterable<ListedFile>;
  /** A URL with which anyone can download the file until it expires. */
  downloadUrl(key: string, details: DownloadDetails): Promise<string>;
  /** A URL to which anyone can PUT the content of this file until it expires. */
  uploadUrl(key: string, details: UploadDetails): Promise<string>;
  /** The file of a download URL's token. Null if the token is forged or expired, or if the file was removed. */
  readSigned(token: string, now: Date): Promise<SignedDownload | null>;
  /** The permission of an upload URL's token. Null if the token is forged or expired. */
  writeSigned(token: string, now: Date): Promise<SignedUpload | null>;
}

/** How long the URLs of files are valid: 15 minutes, in milliseconds. */
export const urlLifetimeMs = 15 * 60_000;

/** The kinds of stored files: unconfirmed uploads, files, their thumbnails, images of templates. */
export type FileKind = 'uploads' | 'files' | 'thumbnails' | 'assets';

/** The key of a file of an organization. */
export function storageKey(organizationId: string, kind: FileKind, id: string): string {
  return `${organizationId}/${kind}/${id}`;
}

/** The parts of a key. Null for a file that the service did not store. */
export function parseStorageKey(key: string): { organizationId: string; kind: FileKind; id: string } | null {
  const { organizationId, kind, id } =
    /^(?<organizationId>[0-9a-f-]{36})\/(?<kind>uploads|files|thumbnails|assets)\/(?<id>[0-9a-f-]{36})$/.exec(key)
      ?.groups ?? {};
  return organizationId === undefined || id === undefined ? null : { organizationId, kind: kind as FileKind, id };
}
