import { createServer, request as open, type IncomingMessage, type RequestListener } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Statuses whose responses have no body. */
const withoutBody = new Set([204, 304]);

/** A fetch function on behalf of a client with this address. */
export type FetchFor = (address: string) => typeof globalThis.fetch;

/**
 * Makes fetch functions whose requests go to a handler of this process. They use HTTP through memory, without a port, a
 * connection of the server or a proxy. The host and port of their URLs do not matter. Bodies are texts.
 */
export function createInProcessFetch(handle: RequestListener): FetchFor {
  // This server never listens; it is given the connections.
  const server = createServer(handle);
  return (address) =>
    async (input, { method = 'GET', headers, body, signal } = {}) => {
      const [near, far] = duplexPair();
      server.emit('connection', Object.assign(far, { remoteAddress: address }));
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = open({
          createConnection: (): Duplex => near,
          method,
          path: `${pathname}${search}`,
          headers: Object.fromEntries(new Headers(headers)),
          ...(signal && { signal }),
        });
        outgoing.once('response', resolve).once('error', reject).end(body);
      });
      const content = await buffer(response);
      const status = response.statusCode ?? 500;
      return new Response(withoutBody.has(status) ? null : new Uint8Array(content), {
        status,
        headers: pairsOf(response.rawHeaders),
      });
    };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));
}
