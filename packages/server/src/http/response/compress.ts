import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';

/** Shorter bodies fit into one packet anyway. */
const minimumBytes = 1_024;

/** What becomes much smaller. A stream of events is not among them, because its parts would wait for each other. */
const compressible = new Set([
  'application/json',
  'application/yaml',
  'text/css',
  'text/csv',
  'text/html',
  'text/javascript',
  'text/markdown',
  'text/plain',
]);

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
/** Higher qualities take several times as long for a few percent. The window bounds the memory of a stream. */
const brotliOptions = { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_LGWIN]: 18 } };
const gzipOptions = { level: 4 };

/** How a content coding is applied, in the order of preference. */
const codings = {
  br: {
    apply: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
    open: () => createBrotliCompress(brotliOptions),
  },
  gzip: {
    apply: (bytes: Buffer) => promisify(gzip)(bytes, gzipOptions),
    open: () => createGzip(gzipOptions),
  },
} as const;

const names = ['br', 'gzip'] as const satisfies (keyof typeof codings)[];

/**
 * Compresses responses for clients that ask for it. The rule is stated in `mayCompress`. Bodies in memory stay such, so
 * that their length is known, and that they count as work of their organization until they are sent.
 */
export function compress(): Middleware {
  return (ctx, next) => {
    ctx.res.setHeader('Vary', 'Accept-Encoding');
    return ctx.req.headers['accept-encoding'] === undefined ? next() : respondCompressed(ctx, next);
  };
}

async function respondCompressed(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  await next();
  if (!mayCompress(ctx)) return;
  const name = names.find((each) => ctx.acceptsEncodings(each) === each);
  if (name === undefined) return;
  const { body } = ctx;
  if (body instanceof Readable) {
    ctx.set('Content-Encoding', name);
    // If the source fails, the pipeline destroys its end, and the connection is closed as without compression.
    if (ctx.method !== 'HEAD') ctx.body = pipeline(body, codings[name].open(), () => {});
    ctx.remove('Content-Length');
    return;
  }
  const bytes = bytesOf(body);
  if (bytes.length < minimumBytes) return;
  ctx.body = await codings[name].apply(bytes);
  ctx.set('Content-Encoding', name);
}

/**
 * Whether a response may be compressed. The length of a compressed response tells whether texts in it repeat each
 * other. So somebody who chooses one text, and sees lengths, could guess another one, such as a CSRF token. For that,
 * the browser of the other person must repeat requests, which it can with its cookies alone. Responses to requests with
 * cookies are therefore compressed only if they are public, and so are those to other methods than GET, which may show
 * a new secret. Stored files offer ranges, which count the bytes of the file itself.
 */
function mayCompress({ method, body, req: { headers }, res, response }: Context): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || body === null || body === undefined) return false;
  if (res.hasHeader('Content-Encoding') || res.hasHeader('Accept-Ranges')) return false;
  const cacheControl = response.get('Cache-Control');
  if (headers.cookie !== undefined && !/\bpublic\b/.test(cacheControl)) return false;
  return compressible.has(response.type) && !/\bno-transform\b/.test(cacheControl);
}

/** The bytes that Koa would send. */
function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
