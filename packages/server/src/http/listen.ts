import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { longestReceivingMs, limitReceiving } from './body/receiving-time.ts';
import { errorBody } from './render-error.ts';

/** A listening HTTP server. */
export interface Listening {
  readonly port: number;
  /** Accepts no new connections, lets requests in progress finish within `graceMs`, then closes the remaining connections. */
  close(graceMs: number): Promise<void>;
}

/** Serves an application on a port; 0 means any free port. */
export async function listen(app: Koa, host: string, port: number): Promise<Listening> {
  const handle = app.callback();
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: longestReceivingMs,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      limitReceiving(request);
      void handle(request, response);
    },
  );
  server.maxConnections = 1_000;
  server.on('clientError', rejectUnreadable);
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

/** Responds to a request that is not valid HTTP, and so never reaches the application, with the usual error body. */
function rejectUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const isOversize = error.code === 'HPE_HEADER_OVERFLOW';
  const message = isOversize ? 'The request headers exceed 16 KB; shorten them.' : 'The request is not valid HTTP.';
  const body = JSON.stringify({ ...errorBody(400, message, ''), ...(isOversize && headersTooLarge) });
  const status = isOversize ? headersTooLarge.statusCode : 400;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const headersTooLarge = { statusCode: 431, error: 'Request Header Fields Too Large' };
