import { createServer, request as open, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { duplexPair, Readable, type Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { traceHeaders } from '../../telemetry/tracing.ts';
import type { GuardParts } from '../guard.ts';

/** Statuses whose responses have no body. */
const withoutBody = new Set([204, 304]);

/** A fetch function on behalf of a client with this address. */
export type FetchFor = (address: string) => typeof globalThis.fetch;

/** What is needed to call endpoints of this process. */
export interface InProcessParts extends GuardParts {
  readonly fetchFor: FetchFor;
}

/**
 * Makes fetch functions whose requests go to the handler of this process, which is made when it is first needed. They
 * use HTTP through memory, without a port, a connection of the server or a proxy. The host and port of their URLs do
 * not matter.
 */
export function createInProcessFetch(handler: () => RequestListener): FetchFor {
  // This server never listens; it is given the connections.
  let server: Server | undefined;
  return (address) =>
    async (input, init = {}) => {
      const { method = 'GET', body = null, signal } = init;
      const request = new Request(input, init);
      const [near, far] = duplexPair();
      server ??= createServer(handler());
      server.emit('connection', Object.assign(far, { remoteAddress: address }));
      const { pathname, search } = new URL(request.url);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = open({
          createConnection: (): Duplex => near,
          method,
          path: `${pathname}${search}`,
          headers: { ...Object.fromEntries(request.headers), ...traceHeaders() },
          ...(signal && { signal }),
        });
        outgoing.once('response', resolve).once('error', reject);
        // The length of a text is known. Files go through memory in small parts.
        if (body === null || typeof body === 'string') outgoing.end(body ?? undefined);
        else Readable.fromWeb(request.body as ReadableStream).pipe(outgoing);
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
