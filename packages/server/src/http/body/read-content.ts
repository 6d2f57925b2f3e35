import type { IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { badRequest, payloadTooLarge } from '../../api-error.ts';

/** What koa-body reads of a request. */
type Content = Readable & Pick<IncomingMessage, 'headers'>;

/**
 * Makes a function that reads the decompressed bytes of a body of this media type. It resolves with null for a body of
 * another type. It throws a 400, or a 413 for more than `maximumBytes`.
 */
export function contentReader(mediaType: string, maximumBytes: number): (ctx: Context) => Promise<Buffer | null> {
  const read = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    textTypes: [mediaType],
    textLimit: maximumBytes,
    // Without an encoding, koa-body returns the bytes. Decoding would replace invalid ones.
    encoding: '',
    parsedMethods: Object.values(HttpMethodEnum),
  });
  const limit = maximumBytes < 1e6 ? `${maximumBytes / 1024} KB` : `${Math.floor(maximumBytes / 1e6)} MB`;
  return async (ctx) => {
    if (!ctx.is(mediaType)) return null;
    const content = decompressed(ctx);
    try {
      // An object that serves as a prototype is slow from then on.
      const source = content === ctx.req ? ctx : (Object.create(ctx, { req: { value: content } }) as Context);
      await read(source, async () => {});
    } catch (error) {
      // The rest is read and dropped, because the client may send the next request on this connection.
      ctx.req.unpipe();
      ctx.req.resume();
      if (error instanceof Error && 'status' in error && error.status === 413) throw payloadTooLarge(limit);
      throw badRequest(['body: cannot be read; check its length and its Content-Encoding']);
    }
    const body: unknown = ctx.request.body;
    // The request outlives the use of these bytes.
    delete ctx.request.body;
    return body as Buffer;
  };
}

/**
 * The decompressed body. koa-body could inflate it, but would wait forever if the client disconnects, and would end
 * the process if the content is broken behind the size limit, because nobody then listens to errors of the inflating
 * stream.
 */
function decompressed({ req }: Context): Content {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return req;
  if (!['gzip', 'deflate', 'br'].includes(encoding)) {
    throw badRequest(['Content-Encoding: must be gzip, deflate, br or identity']);
  }
  const content = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  content.on('error', () => {});
  // If the client disconnects, now or earlier, the request ends without an end of its body.
  finished(req, (error) => {
    if (error) content.destroy(error);
  });
  return Object.assign(req.pipe(content), { headers: {} });
}
