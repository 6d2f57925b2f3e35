import type { IncomingContent } from '@runward/contract';
import type { Context } from 'koa';
import { badRequest } from '../../api-error.ts';
import { allowReceiving, longestReceivingMs } from './receiving-time.ts';

/** The body of a request as it arrives. Throws a 400 if it is compressed. */
export function incomingContent(ctx: Context): IncomingContent {
  const { headers } = ctx.req;
  allowReceiving(ctx.req, longestReceivingMs);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw badRequest(['Content-Encoding: must be identity; send the content uncompressed']);
  }
  const [contentType = ''] = (headers['content-type'] ?? '').split(';');
  const length = headers['content-length'];
  return {
    contentType: contentType.trim().toLowerCase(),
    size: length === undefined ? null : Number(length),
    content: ctx.req as AsyncIterable<Buffer>,
  };
}
