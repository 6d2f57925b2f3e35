import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';

/** A request as it came over the wire. */
export interface Received {
  /** When it had arrived, in epoch milliseconds. */
  readonly at: number;
  readonly method: string;
  /** Path and query, exactly as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body before it was decoded. */
  readonly bytes: Buffer<ArrayBuffer>;
}

/** Responds to a request. `index` counts from 0. The response may stay unfinished. */
export type Respond = (res: ServerResponse, request: Received, index: number) => unknown;

/** A server on loopback that keeps the requests it gets. */
export interface TestHttpServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly received: readonly Received[];
}

/** Lets a server listen on a free loopback port, and resolves with the port. */
export async function listenOnLoopback(server: NetServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Stops a server and ends its connections. */
export function closeServer(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** Starts a server that keeps the requests it gets. Disposing it stops it. */
export async function openServer(respond: Respond): Promise<TestHttpServer> {
  const received: Received[] = [];
  const take = async (req: IncomingMessage, res: ServerResponse) => {
    const { method = '', url = '', headers } = req;
    const bytes = await buffer(req);
    const request = { at: Date.now(), method, url, headers, body: bytes.toString(), bytes };
    respond(res, request, received.push(request) - 1);
  };
  const server = createServer((req, res) => void take(req, res).catch(() => res.destroy()));
  const port = await listenOnLoopback(server);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => closeServer(server),
  };
}

/** Starts a server that ends with the test. */
export async function startServer(t: ExecutionContext, respond: Respond) {
  const server = await openServer(respond);
  t.teardown(() => server[Symbol.asyncDispose]());
  // Leaves out the dispose method, because tests spread this object into client options.
  return { baseUrl: server.baseUrl, received: server.received };
}

/** An address on which nothing listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Responds with JSON. */
export function json(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body));
}

/** Responds with an error body like the service's. */
export function fail(
  res: ServerResponse,
  status: number,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): void {
  const timestamp = '2026-03-01T09:30:00.000Z';
  json(
    res,
    status,
    { statusCode: status, error: 'Some Error', message: 'It failed', timestamp, path: '/x', ...fields },
    headers,
  );
}
