import { finished, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { parse } from '@hapi/bourne';
import type { Endpoint } from '@runward/contract';
import type { Context } from 'koa';
import readBytes from 'raw-body';
import { ApiError, badRequest, payloadTooLarge } from '../../api-error.ts';

const defaultMaximumBytes = 1_048_576;

/** Rejects invalid UTF-8; it must not be stored as replacement characters. A byte order mark is not JSON. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the JSON body of a request; undefined if it has none. Throws a 400 for any other content type, and a 413 for a body larger than the
 * endpoint accepts, by default 1 MB.
 */
export async function readBody(
  ctx: Context,
  { maximumBytes = defaultMaximumBytes }: Pick<Endpoint, 'maximumBytes'>,
): Promise<unknown> {
  if (!hasBody(ctx)) return undefined;
  if (!ctx.request.is('application/json')) {
    throw badRequest(['body: must be JSON; send the header "Content-Type: application/json"']);
  }
  return toJson(await readContent(ctx, maximumBytes));
}

/** Reads the bytes of a body as they were before compression. Throws a 400, or a 413 for more than `maximumBytes`. */
export async function readContent(ctx: Context, maximumBytes: number): Promise<Buffer> {
  try {
    return await readBytes(decompressed(ctx), { limit: maximumBytes });
  } catch (error) {
    // The rest is read and dropped, because the client may send the next request on this connection.
    ctx.req.unpipe();
    ctx.req.resume();
    if (error instanceof ApiError) throw error;
    if (error instanceof Error && 'status' in error && error.status === 413)
      throw payloadTooLarge(`${Math.floor(maximumBytes / 1e6)} MB`);
    throw badRequest(['body: cannot be read; check its length and its Content-Encoding']);
  }
}

/** The body as sent before compression. */
function decompressed({ req }: Context): Readable {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return req;
  if (!['gzip', 'deflate', 'br'].includes(encoding)) {
    throw badRequest(['Content-Encoding: must be gzip, deflate, br or identity']);
  }
  const content = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  // Nobody listens any more if the content is broken behind its limit; without a listener, that would end the process.
  content.on('error', () => {});
  // A client that disconnects, also one that already has, ends the request without an end of its body.
  finished(req, (error) => {
    if (error) content.destroy(error);
  });
  return req.pipe(content);
}

/** Only objects and lists: nothing else is a body of this API. */
function toJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw badRequest(['body: must be valid UTF-8']);
  }
  try {
    // An empty body counts as an empty object, and keys that would change prototypes are rejected.
    if (text === '') return {};
    if (/^\s*[[{]/.test(text)) {
      const value: unknown = parse(text);
      ensureNotRounded(text);
      return value;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Reported below.
  }
  throw badRequest(['body: not valid JSON; send a JSON object in UTF-8']);
}

const maximumDigits = 15;

/**
 * Throws a 400 for a number that reading has turned into another one of fewer digits, such as 1.00000000000000001 into 1. A number that keeps
 * more than 15 digits, like 0.30000000000000004, is as its sender has it.
 */
function ensureNotRounded(text: string): void {
  if (!/\d[\d.]{15}/.test(text)) return;
  JSON.parse(text, (_, value: unknown, { source = '' }: { source?: string } = {}) => {
    if (typeof value === 'number' && digitsOf(source) > maximumDigits && digitsOf(String(value)) <= maximumDigits) {
      throw badRequest([
        `body: the number ${source.slice(0, 40)} would be rounded; send at most 15 significant digits`,
      ]);
    }
    return value;
  });
}

/** The significant digits of a number as text. */
function digitsOf(text: string): number {
  return text
    .replace(/e.*$/i, '')
    .replaceAll(/[-.]/g, '')
    .replaceAll(/^0+|0+$/g, '').length;
}

function hasBody({ req: { headers } }: Context): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
