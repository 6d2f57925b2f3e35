import { z } from 'zod';

/** What an endpoint accepts as one file of a multipart body. */
export interface FilePart {
  /** Most bytes; a larger file is a 413. */
  readonly maximumBytes: number;
  /** Media types by their content, like `image/png`, not by what the client claims; empty means any. */
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

/** A `multipart/form-data` body: text fields as a schema, and files by part name. Every file is required. */
export interface Multipart<
  Fields extends z.ZodObject = z.ZodObject,
  Files extends Readonly<Record<string, FilePart>> = Readonly<Record<string, FilePart>>,
> {
  readonly kind: 'multipart';
  readonly fields: Fields;
  readonly files: Files;
}

/** A response that is sent as it is made: a CSV, a PDF, a ZIP, an image. */
export interface Stream {
  readonly kind: 'stream';
  /** Media types it may have. */
  readonly contentTypes: readonly string[];
}

/** A file of a multipart body as a handler receives it: complete, within its limits, on disk until the request ends. */
export interface UploadedFile {
  /** As the client named it; not safe as a path. */
  readonly fileName: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** Lowercase hex SHA-256 of the content. */
  readonly sha256: string;
  /** Where the content lies. */
  readonly path: string;
}

/** What a handler returns for a {@link Stream}. */
export interface StreamedFile {
  readonly contentType: string;
  /** Suggested to whoever saves it. */
  readonly fileName: string;
  /** In bytes, if known beforehand. */
  readonly size?: number;
  readonly content: AsyncIterable<string | Uint8Array>;
}

/** What a client may send as a file. */
export type FileInput = Blob | File;

/** A `multipart/form-data` body with these text fields and files. */
export function multipart<Fields extends z.ZodObject, const Files extends Readonly<Record<string, FilePart>>>(
  fields: Fields,
  files: Files,
): Multipart<Fields, Files> {
  return { kind: 'multipart', fields, files };
}

/** A multipart body of files alone. */
export function upload<const Files extends Readonly<Record<string, FilePart>>>(files: Files) {
  return multipart(z.strictObject({}), files);
}

/** A streamed response of one of these media types. */
export function stream(...contentTypes: readonly string[]): Stream {
  return { kind: 'stream', contentTypes };
}

/** Whether a body is multipart and not JSON. */
export function isMultipart(body: z.ZodType | Multipart | undefined): body is Multipart {
  return body !== undefined && 'kind' in body && body.kind === 'multipart';
}

/** Whether a response is streamed and not JSON. */
export function isStream(response: z.ZodType | Stream | undefined): response is Stream {
  return response !== undefined && 'kind' in response && response.kind === 'stream';
}
