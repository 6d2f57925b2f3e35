import { Readable } from 'node:stream';
import { isStream, type Endpoint, type StreamedFile } from '@runward/contract';
import contentDisposition from 'content-disposition';
import type { Context } from 'koa';

/** Writes what a handler returned. A stream that fails before its first part is a proper error; one that fails later is cut off. */
export async function respond(ctx: Context, { status, response }: Endpoint, result: unknown): Promise<void> {
  if (!isStream(response)) {
    ctx.status = status;
    if (status !== 204) ctx.body = result;
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

/** The content as a stream whose first part is made. Its work ends when the client leaves; null if that was before. */
async function start(ctx: Context, content: StreamedFile['content']): Promise<Readable | null> {
  const left = new AbortController();
  ctx.res.once('close', () => left.abort());
  const parts = content(left.signal)[Symbol.asyncIterator]();
  let first: IteratorResult<string | Uint8Array>;
  try {
    first = await parts.next();
  } catch (error) {
    // No error of ours: the work was cancelled.
    if (left.signal.aborted) return null;
    throw error;
  }
  const all = async function* () {
    try {
      for (let part = first; part.done !== true; part = await parts.next()) yield part.value;
    } finally {
      await parts.return?.();
    }
  };
  return Readable.from(all(), { objectMode: false });
}
