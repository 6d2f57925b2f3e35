import type { ByteRange, StreamedFile } from '@runward/contract';
import type { Context } from 'koa';
import parseRange from 'range-parser';
import { rangeNotSatisfiable } from '../api-error.ts';
import { matchesAny } from './preconditions.ts';

/** Which part of a file to send: all of it, nothing (the client has it), or one range. */
export type Part = { readonly status: 200 | 304 } | { readonly status: 206; readonly range: ByteRange };

/**
 * Evaluates `If-None-Match`, `Range` and `If-Range` for a file with an entity tag, and sets the headers of the
 * response. A request for several ranges gets the whole file (RFC 9110, 14.2). Throws a 416 if the file has no byte in
 * the range.
 */
export function selectPart(ctx: Context, { size, entityTag }: StreamedFile): Part {
  if (entityTag === undefined || size === undefined) return { status: 200 };
  ctx.set('ETag', entityTag);
  ctx.set('Accept-Ranges', 'bytes');
  if (matchesAny(ctx.get('if-none-match'), entityTag)) return { status: 304 };

  const condition = ctx.get('if-range');
  const header = condition === '' || condition === entityTag ? ctx.get('range') : '';
  if (header === '') return { status: 200 };
  const ranges = parseRange(size, withinSize(header, size), { combine: true });
  if (ranges === -1) {
    ctx.set('Content-Range', `bytes */${size}`);
    throw rangeNotSatisfiable(size);
  }
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 || !ranges[0]) return { status: 200 };
  const { start, end } = ranges[0];
  ctx.set('Content-Range', `bytes ${start}-${end}/${size}`);
  return { status: 206, range: { start, end } };
}

/** More last bytes than a file has mean the whole file (RFC 9110, 14.1.2). The parser reports them as an error. */
function withinSize(header: string, size: number): string {
  return header.replaceAll(/([=,]\s*)-(\d+)/g, (_, before: string, last: string) => {
    return `${before}-${Math.min(Number(last), size)}`;
  });
}
