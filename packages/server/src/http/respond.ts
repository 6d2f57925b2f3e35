import { Readable } from 'node:stream';
import { isStream, type Endpoint, type StreamedFile } from '@runward/contract';
import contentDisposition from 'content-disposition';
import type { Context } from 'koa';
import { matchesAny, tagOf } from './preconditions.ts';

/** Sends the result of a handler. A stream that fails before its first chunk becomes an error response; one that fails later is aborted. */
export async function respond(
  ctx: Context,
  { method, status, response, versioned }: Endpoint,
  result: unknown,
): Promise<void> {
  if (!isStream(response)) {
    ctx.status = status;
    if (status !== 204) ctx.body = result;
    if (versioned && status !== 204) {
      const tag = tagOf(result);
      ctx.set('ETag', tag);
      if (method === 'GET' && matchesAny(ctx.get('if-none-match'), tag)) ctx.status = 304;
    }
    return;
  }
  const { contentType, fileName, size, headers = {}, content } = result as StreamedFile;
  const body = await start(ctx, content);
  if (body === null) return;
  ctx.status = status;
  ctx.body = body;
  ctx.type = contentType;
  ctx.set('Content-Disposition', contentDisposition(fileName));
  if (size !== undefined) ctx.length = size;
  ctx.set(headers);
}

/** Starts a stream and waits for its first chunk. Aborts the work when the client disconnects; returns null if it did before that. */
async function start(ctx: Context, content: StreamedFile['content']): Promise<Readable | null> {
  const disconnected = new AbortController();
  ctx.res.once('close', () => disconnected.abort());
  const chunks = content(disconnected.signal)[Symbol.asyncIterator]();
  let first: IteratorResult<string | Uint8Array>;
  try {
    first = await chunks.next();
  } catch (error) {
    // Not an error: the work was cancelled.
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
