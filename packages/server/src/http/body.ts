import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { badRequest, payloadTooLarge } from '../api-error.ts';

const readJson = koaBody({
  json: true,
  text: false,
  urlencoded: false,
  multipart: false,
  jsonLimit: '1mb',
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
  onError: (error) => {
    throw 'status' in error && error.status === 413
      ? payloadTooLarge('1 MB')
      : badRequest(['body: not valid JSON; send a JSON object in UTF-8']);
  },
});

/** Reads the JSON body of a request; undefined if it has none. Throws a 400 for any other content type, a 413 over 1 MB. */
export async function readBody(ctx: Context): Promise<unknown> {
  if (!hasBody(ctx)) return undefined;
  if (!ctx.request.is('application/json')) {
    throw badRequest(['body: must be JSON; send the header "Content-Type: application/json"']);
  }
  await readJson(ctx, async () => {});
  return (ctx.request as { body?: unknown }).body;
}

function hasBody({ req: { headers } }: Context): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
