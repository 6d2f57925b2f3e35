import type { Context } from 'koa';
import type { Asset } from '../../pages/page.ts';

const yearSeconds = 365 * 24 * 60 * 60;

/** Sends a file whose URL contains a hash of it, compressed if there is such a copy and the client accepts it. */
export function sendAsset(ctx: Context, { contentType, content, gzip }: Asset): void {
  ctx.set('Cache-Control', `public, max-age=${yearSeconds}, immutable`);
  ctx.type = contentType;
  ctx.vary('Accept-Encoding');
  if (gzip && ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = gzip;
  } else {
    ctx.body = content;
  }
}
