import { WebhookVerificationError } from './errors.ts';

/** A request body exactly as received. Bytes are best; a string stands for its UTF-8 bytes. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The largest body a receiver takes, in bytes (1 MB). Real deliveries are far smaller. */
export const maxBodyBytes = 1_048_576;

/**
 * The bytes of a raw body.
 *
 * @throws WebhookVerificationError `body_not_raw` for anything else, for example an object that a JSON parser made.
 */
export function toBytes(rawBody: RawBody | undefined): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  // No instanceof: bytes may come from another realm (worker, vm, test runner).
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (isArrayBuffer(rawBody)) return new Uint8Array(rawBody);
  throw bodyNotRaw(rawBody);
}

/** The raw body that a Node framework left behind, else the request stream itself; undefined when only a parsed body remains. */
export async function nodeBody(stream: NodeBodyStream, left: LeftBody): Promise<RawBody | undefined> {
  if (isRawBody(left.rawBody)) return left.rawBody;
  if (isRawBody(left.body)) return left.body;
  // Some parsers set an empty `body` on requests they did not read, so the stream decides.
  if (stream.readableDidRead) return undefined;
  return readBody(stream);
}

/** The stream part of a Node request. */
export interface NodeBodyStream extends AsyncIterable<Uint8Array> {
  readonly readableDidRead?: boolean;
}

/** Where Node frameworks leave a body they have read. */
export interface LeftBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Reads a stream, keeping at most one chunk more than the limit: enough for the receiver to see that the body is too
 * large. The rest is read and dropped, so that the sender gets its 413; past 16 times the limit reading stops.
 */
export async function readBody(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let seen = 0;
  for await (const chunk of stream) {
    const bytes = toBytes(chunk);
    if (size <= maxBodyBytes) {
      chunks.push(bytes);
      size += bytes.byteLength;
    }
    seen += bytes.byteLength;
    if (seen > 16 * maxBodyBytes) break;
  }
  return concat(chunks);
}

/** One array of all the bytes, always a copy. */
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
  const problem =
    found == null
      ? 'There is no raw body: something read the request (and perhaps parsed it) before the receiver did.'
      : `The body is ${Array.isArray(found) ? 'an array' : `of type ${typeof found}`}: it was parsed before it was verified, and the bytes that were signed are lost.`;
  const remedy =
    "Keep the raw body on this route: mount the receiver before body parsers such as express.json() or koa-body, or use express.raw({ type: 'application/json' }); with fetch Requests pass `await request.arrayBuffer()`.";
  return new WebhookVerificationError('body_not_raw', `${problem} ${remedy}`);
}
