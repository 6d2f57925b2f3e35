import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';

/** A request as it came over the wire. */
export interface Received {
  readonly method: string;
  /** Path and query, exactly as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

/** Answers the request with this index, counted from 0. It may leave the answer unfinished. */
export type Respond = (res: ServerResponse, request: Received, index: number) => unknown;

/** Starts a real server on a free port that notes what it receives; it ends with the test, open connections included. */
export async function startServer(t: ExecutionContext, respond: Respond) {
  const received: Received[] = [];
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const { method = '', url = '', headers } = req;
    const bytes = await buffer(req);
    const request = { method, url, headers, body: bytes.toString(), bytes };
    respond(res, request, received.push(request) - 1);
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** An address where nothing listens. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** Answers JSON. */
export function json(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body));
}

/** Answers an error as the service words it. */
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
