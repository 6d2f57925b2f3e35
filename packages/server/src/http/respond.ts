import { Readable } from 'node:stream';
import { statusOf, type Endpoint, type StreamedFile } from '@runward/contract';
import type { Context } from 'koa';
import { attachment } from '../adapters/attachment.ts';
import { jsonOf } from '../rendered.ts';
import { matchesAny, tagOf } from './preconditions.ts';
import { selectPart } from './ranges.ts';

/** Sends the result of a handler. */
export function respond(ctx: Context, endpoint: Endpoint, result: unknown): void {
  ctx.status = statusOf(endpoint);
  if (!endpoint.response) return;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  // Bytes are outside the heap, unlike a string, while a response waits for a slow client.
  ctx.body = jsonOf(result) ?? Buffer.from(JSON.stringify(result));
  if (!endpoint.versioned) return;
  const tag = tagOf(result);
  ctx.set('ETag', tag);
  if (endpoint.method === 'GET' && matchesAny(ctx.get('if-none-match'), tag)) ctx.status = 304;
}

/** Sends a file or an export. A failure before its first chunk becomes an error response; a later one aborts it. */
export async function stream(ctx: Context, endpoint: Endpoint, file: StreamedFile): Promise<void> {
  const { contentType, fileName, size, headers = {}, content } = file;
  const part = selectPart(ctx, file);
  ctx.set({ ...headers, 'Content-Disposition': attachment(fileName) });
  if (part.status === 304) {
    ctx.status = 304;
    return;
  }
  const range = part.status === 206 ? part.range : undefined;
  const body = ctx.method === 'HEAD' ? Readable.from([]) : await start(ctx, (signal) => content(signal, range));
  if (body === null) return;
  ctx.status = part.status === 206 ? 206 : statusOf(endpoint);
  ctx.body = body;
  ctx.type = contentType;
  if (range) ctx.length = range.end - range.start + 1;
  else if (size !== undefined) ctx.length = size;
}

/**
 * Starts a stream and waits for its first chunk. If the client disconnects, it aborts the work; if that happens before
 * the first chunk, it returns null.
 */
async function start(
  ctx: Context,
  content: (signal: AbortSignal) => AsyncIterable<string | Uint8Array>,
): Promise<Readable | null> {
  const disconnected = new AbortController();
  ctx.res.once('close', () => disconnected.abort());
  const chunks = content(disconnected.signal)[Symbol.asyncIterator]();
  let first: IteratorResult<string | Uint8Array>;
  try {
    first = await chunks.next();
  } catch (error) {
    // The work was cancelled, which is not an error.
    if (disconnected.signal.aborted) return null;
    throw error;
  }
  const all = async function* () {
    try {
      for (let chunk = first; chunk.done !== true; chunk = await chunks.next()) yield chunk.value;
    } finally {
      await chunks.return?.();
    }
  };
  return Readable.from(all(), { objectMode: false });
}
