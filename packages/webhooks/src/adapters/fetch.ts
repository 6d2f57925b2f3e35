import { readBody } from '../raw-body.ts';
import type { Receiver } from '../receiver.ts';

/**
 * A handler from Request to Response, for Hono, Next.js, Bun, Deno, Workers and other frameworks based on fetch. The body
 * of the request must be unread.
 */
export function toFetchHandler(receiver: Receiver): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, body } = await receiver.handle({ rawBody: await rawBodyOf(request), headers: request.headers });
    return Response.json(body, { status });
  };
}

async function rawBodyOf(request: Request): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) return undefined;
  return request.body === null ? new Uint8Array() : readBody(request.body);
}
