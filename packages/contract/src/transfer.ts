import { z } from 'zod';

/** Limits of one file in a multipart body. */
export interface FilePart {
  /** Maximum size in bytes; a larger file is rejected with 413. */
  readonly maximumBytes: number;
  /** Accepted media types, like `image/png`, detected from the content and not from what the client states. Empty: any type. */
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

/** A `multipart/form-data` body: a schema of text fields, and files by part name. Every file is required. */
export interface Multipart<
  Fields extends z.ZodObject = z.ZodObject,
  Files extends Readonly<Record<string, FilePart>> = Readonly<Record<string, FilePart>>,
> {
  readonly kind: 'multipart';
  /** Names the body in OpenAPI. */
  readonly id?: string | undefined;
  readonly fields: Fields;
  readonly files: Files;
}

/** A response that is sent while it is produced, such as CSV, PDF, ZIP or an image. */
export interface Stream {
  readonly kind: 'stream';
  /** The media types it can have. */
  readonly contentTypes: readonly string[];
}

/** A file of a multipart body as a handler receives it: complete, within its limits, and on disk until the request ends. */
export interface UploadedFile {
  /** As sent by the client. Not safe to use as a path. */
  readonly fileName: string;
  /** Detected from the content. */
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** Lowercase hex SHA-256 of the content. */
  readonly sha256: string;
  /** Path of the temporary file that holds the content. */
  readonly path: string;
}

/** What a handler returns for a {@link Stream}. */
export interface StreamedFile {
  readonly contentType: string;
  /** Suggested to the client in `Content-Disposition`. */
  readonly fileName: string;
  /** In bytes, if known in advance; sent as `Content-Length`. */
  readonly size?: number;
  /** Headers that replace the default ones of the service. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Produces the content. The signal is aborted if the client disconnects. */
  readonly content: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;
}

/** What a client can send as a file. */
export type FileInput = Blob | File;

/** Describes a `multipart/form-data` body with these text fields and files. `id` names it in OpenAPI. */
export function multipart<Fields extends z.ZodObject, const Files extends Readonly<Record<string, FilePart>>>(
  fields: Fields,
  files: Files,
  id?: string,
): Multipart<Fields, Files> {
  return { kind: 'multipart', id, fields, files };
}

/** Describes a multipart body that consists of files only. `id` names it in OpenAPI. */
export function upload<const Files extends Readonly<Record<string, FilePart>>>(files: Files, id?: string) {
  return multipart(z.strictObject({}), files, id);
}

/** Describes a streamed response of one of these media types. */
export function stream(...contentTypes: readonly string[]): Stream {
  return { kind: 'stream', contentTypes };
}

/** Whether a body is multipart rather than JSON. */
export function isMultipart(body: z.ZodType | Multipart | undefined): body is Multipart {
  return body !== undefined && 'kind' in body && body.kind === 'multipart';
}

/** Whether a response is streamed rather than JSON. */
export function isStream(response: z.ZodType | Stream | undefined): response is Stream {
  return response !== undefined && 'kind' in response && response.kind === 'stream';
}
