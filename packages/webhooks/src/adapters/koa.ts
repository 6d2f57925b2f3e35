import type { HeadersLike } from '../headers.ts';
import { nodeBody, type NodeBodyStream } from '../raw-body.ts';
import type { Receiver } from '../receiver.ts';

/** The members used of a Koa context. */
export interface KoaContext {
  readonly req: NodeBodyStream & { readonly method?: string | undefined; readonly headers: HeadersLike };
  /** Parsers store `body` and `rawBody` here, but Koa's types declare neither. */
  readonly request: object;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

/**
 * A Koa middleware that responds to every request; mount it on a route. It reads the request stream, or uses the raw
 * body that a parser stored in `ctx.request.rawBody`. It rejects a body that exists only in parsed form.
 */
export function toKoaMiddleware(receiver: Receiver): (ctx: KoaContext) => Promise<void> {
  return async (ctx) => {
    const rawBody = await nodeBody(ctx.req, ctx.request);
    const { method, headers: received } = ctx.req;
    const { status, body, headers } = await receiver.handle({ method, rawBody, headers: received });
    ctx.status = status;
    ctx.body = body;
    ctx.set({ ...headers });
  };
}
