import { Readable } from 'node:stream';
import { isStream, type Endpoint, type StreamedFile } from '@runward/contract';
import contentDisposition from 'content-disposition';
import type { Context } from 'koa';

/** Writes what a handler returned. A stream that fails before its first part is a proper error; one that fails later is cut off. */
export async function respond(ctx: Context, { status, response }: Endpoint, result: unknown): Promise<void> {
  ctx.status = status;
  if (status === 204) return;
  if (!isStream(response)) {
    ctx.body = result;
    return;
  }
  const { contentType, fileName, size, content } = result as StreamedFile;
  const body = await started(content);
  ctx.body = body;
  ctx.type = contentType;
  ctx.set('Content-Disposition', contentDisposition(fileName));
  if (size !== undefined) ctx.length = size;
}

/** The same content with its first part already made. */
async function started(content: StreamedFile['content']): Promise<Readable> {
  const parts = content[Symbol.asyncIterator]();
  const first = await parts.next();
  return Readable.from(
    (async function* () {
      try {
        for (let part = first; !part.done; part = await parts.next()) yield part.value;
      } finally {
        // A client that leaves ends the work behind the stream.
        await parts.return?.();
      }
    })(),
    { objectMode: false },
  );
}
