import { z } from 'zod';

/** Limits of one file in a multipart body. */
export interface FilePart {
  /** Maximum size in bytes; a larger file is rejected with 413. */
  readonly maximumBytes: number;
  /**
   * Accepted media types, like `image/png`. The type is detected from the content; what the client states is ignored.
   * Empty: any type.
   */
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

/** A body of any media type that is passed on while it is received. */
export interface Binary {
  readonly kind: 'binary';
  readonly description: string;
}

/** A response that is sent while it is being produced, such as CSV, PDF, ZIP or an image. */
export interface Stream {
  readonly kind: 'stream';
  /** Possible media types of the response. A single wildcard means any type. */
  readonly contentTypes: readonly string[];
  /** Whether clients can request byte ranges (`Range`) and skip content that they have already (`If-None-Match`). */
  readonly ranges?: boolean;
}

/** A {@link Binary} body as a handler receives it. */
export interface IncomingContent {
  /** As sent by the client, in lower case and without parameters. */
  readonly contentType: string;
  /** The size that the client announced, in bytes; null if it did not. */
  readonly size: number | null;
  /** The content as it arrives. Fails if the client disconnects. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A range of bytes of a file; `start` and `end` are both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A file of a multipart body as a handler receives it. It is complete, within its limits, and on disk until the request
 * ends.
 */
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
  /** Size in bytes, if known in advance; sent as `Content-Length`. */
  readonly size?: number;
  /** Headers that replace the default ones of the service. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Identifies the content: equal tags mean equal bytes. Only for a {@link Stream} with `ranges`, which then also needs
   * a `size`.
   */
  readonly entityTag?: string;
  /** Produces the content, or a part of it. The signal is aborted if the client disconnects. */
  readonly content: (signal: AbortSignal, range?: ByteRange) => AsyncIterable<string | Uint8Array>;
}

/** What a client can send as a file. */
export type FileInput = Blob | File;

/** Describes a `multipart/form-data` body with text fields and files. `id` names it in OpenAPI. */
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

/** Describes a streamed response of any media type. Clients can request byte ranges of it. */
export function fileStream(): Stream {
  return { kind: 'stream', contentTypes: ['*/*'], ranges: true };
}

/** Describes a body of any media type. */
export function binary(description: string): Binary {
  return { kind: 'binary', description };
}

/** Whether a body is multipart rather than JSON. */
export function isMultipart(body: z.ZodType | Multipart | Binary | undefined): body is Multipart {
  return body !== undefined && 'kind' in body && body.kind === 'multipart';
}

/** Whether a body has any media type rather than JSON. */
export function isBinary(body: z.ZodType | Multipart | Binary | undefined): body is Binary {
  return body !== undefined && 'kind' in body && body.kind === 'binary';
}

/** Whether a response is streamed rather than JSON. */
export function isStream(response: z.ZodType | Stream | undefined): response is Stream {
  return response !== undefined && 'kind' in response && response.kind === 'stream';
}
