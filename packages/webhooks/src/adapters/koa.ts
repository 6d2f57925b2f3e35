import type { HeadersLike } from '../headers.ts';
import { nodeBody, type NodeBodyStream } from '../raw-body.ts';
import type { Receiver } from '../receiver.ts';

/** The parts used of a Koa context. */
export interface KoaContext {
  readonly req: NodeBodyStream & { readonly headers: HeadersLike };
  /** Parsers leave `body` and `rawBody` here; Koa's own type declares neither. */
  readonly request: object;
  status: number;
  body: unknown;
}

/**
 * A Koa middleware that answers every request it gets: mount it on a route. Reads the raw stream itself, or takes the
 * raw body that a parser left in `ctx.request.rawBody`. A body that is only there parsed is refused.
 */
export function toKoaMiddleware(receiver: Receiver): (ctx: KoaContext) => Promise<void> {
  return async (ctx) => {
    const rawBody = await nodeBody(ctx.req, ctx.request);
    const { status, body } = await receiver.handle({ rawBody, headers: ctx.req.headers });
    ctx.status = status;
    ctx.body = body;
  };
}
