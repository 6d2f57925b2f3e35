import { readBody } from '../raw-body.ts';
import type { Receiver } from '../receiver.ts';

/** The contexts that frameworks pass: Hono (`req.raw`), h3 (`req`), SvelteKit and Astro (`request`). */
export type FetchContext = { readonly req: Request | { readonly raw: Request } } | { readonly request: Request };

/** A handler for everything that frameworks may pass. Next.js checks the type of a route against the last signature. */
export interface FetchHandler {
  (context: FetchContext): Promise<Response>;
  (request: Request): Promise<Response>;
}

/**
 * Creates a handler from a Request, or a framework's context, to a Response. Works with Hono, Next.js, SvelteKit, Bun,
 * Deno, Workers and other frameworks based on fetch. The body of the request must be unread.
 */
export function toFetchHandler(receiver: Receiver): FetchHandler {
  return async (given: Request | FetchContext) => {
    const request = requestOf(given);
    const { status, body, headers } = await receiver.handle({
      method: request.method,
      rawBody: await rawBodyOf(request),
      headers: request.headers,
    });
    return Response.json(body, { status, headers: { ...headers } });
  };
}

function requestOf(given: Request | FetchContext): Request {
  const found = 'request' in given ? given.request : 'req' in given ? given.req : given;
  const request = 'raw' in found ? found.raw : found;
  if (typeof request.arrayBuffer === 'function') return request;
  throw new TypeError('Not a fetch Request. Use toNodeHandler with node:http and Express, toKoaMiddleware with Koa.');
}

async function rawBodyOf(request: Request): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) return undefined;
  return request.body === null ? new Uint8Array() : readBody(request.body);
}
