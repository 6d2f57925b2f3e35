import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { errorBody } from './render-error.ts';

/** A listening HTTP server. */
export interface Listening {
  readonly port: number;
  /** Takes no new connections, lets requests under way finish within `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Serves an application on a port; 0 takes a free one. */
export async function listen(app: Koa, host: string, port: number): Promise<Listening> {
  const handle = app.callback();
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => void handle(request, response),
  );
  server.maxConnections = 1_000;
  server.on('clientError', answerUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, graceMs) };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

/** A request that is not HTTP never reaches the application; it gets the same error body all the same. */
function answerUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const oversize = error.code === 'HPE_HEADER_OVERFLOW';
  const message = oversize ? 'The request headers exceed 16 KB; shorten them.' : 'The request is not valid HTTP.';
  const body = JSON.stringify({ ...errorBody(400, message, ''), ...(oversize && headersTooLarge) });
  const status = oversize ? headersTooLarge.statusCode : 400;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const headersTooLarge = { statusCode: 431, error: 'Request Header Fields Too Large' };
