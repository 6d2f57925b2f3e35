import { WebhookVerificationError } from './errors.ts';

/** A request body exactly as received. Prefer bytes; a string is encoded as UTF-8. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The largest body a receiver accepts, in bytes (1 MB). Deliveries of the service are far smaller. */
export const maxBodyBytes = 1_048_576;

/**
 * The bytes of a raw body.
 *
 * @throws WebhookVerificationError `body_not_raw` for anything else, for example a parsed object
 */
export function toBytes(rawBody: RawBody | undefined): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  // Not instanceof, because the bytes may come from another realm, such as a vm context.
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (isArrayBuffer(rawBody)) return new Uint8Array(rawBody);
  throw bodyNotRaw(rawBody);
}

/**
 * The raw body that a Node framework stored, else the content of the request stream. Undefined if only a parsed body is
 * left.
 */
export async function nodeBody(stream: NodeBodyStream, request: LeftBody): Promise<RawBody | undefined> {
  if (isRawBody(request.rawBody)) return request.rawBody;
  if (isRawBody(request.body)) return request.body;
  // Some parsers set an empty `body` on requests that they did not read. Only the state of the stream is reliable.
  if (stream.readableDidRead) return undefined;
  return readBody(stream);
}

/** The stream part of a Node request. */
export interface NodeBodyStream extends AsyncIterable<Uint8Array> {
  readonly readableDidRead?: boolean;
}

/** Properties in which Node frameworks store a body they have read. */
export interface LeftBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Reads a stream, but keeps at most one chunk beyond the limit, which shows the receiver that the body is too large.
 * The rest is read and discarded, so that the sender gets its 413. Beyond 16 times the limit, reading stops.
 */
export async function readBody(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let read = 0;
  for await (const chunk of stream) {
    const bytes = toBytes(chunk);
    if (size <= maxBodyBytes) {
      chunks.push(bytes);
      size += bytes.byteLength;
    }
    read += bytes.byteLength;
    if (read > 16 * maxBodyBytes) break;
  }
  return concat(chunks);
}

/** Concatenates arrays of bytes into a new one. */
export function concat(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return all;
}

function isRawBody(value: unknown): value is RawBody {
  return typeof value === 'string' || ArrayBuffer.isView(value) || isArrayBuffer(value);
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

function bodyNotRaw(found: unknown): WebhookVerificationError {
  const reason =
    found == null
      ? 'The raw body is missing: the request was read before the receiver got it.'
      : `The body is ${Array.isArray(found) ? 'an array' : `of type ${typeof found}`}: it was parsed before verification, so the signed bytes are lost.`;
  const remedy =
    "Keep the raw body on this route: mount the receiver before body parsers such as express.json() or koa-body, or use express.raw({ type: 'application/json' }); with fetch Requests pass `await request.arrayBuffer()`.";
  return new WebhookVerificationError('body_not_raw', `${reason} ${remedy}`);
}
