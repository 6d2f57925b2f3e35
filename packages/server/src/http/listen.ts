import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorNames, type Limits } from '@runward/contract';
import type Koa from 'koa';
import { badRequest, headersTooLarge, type ApiError } from '../api-error.ts';
import { isProxy, type TrustedProxies } from '../client-address.ts';
import { withDeadline } from '../deadline.ts';
import { limitSlowness, longestReceivingMs } from './body/receiving-time.ts';
import { errorBody } from './render-error.ts';

const cleanUpMs = 2_000;

/** A listening HTTP server. */
export interface Listening {
  readonly port: number;
  /**
   * Accepts no new connections, lets requests finish within `graceMs` and closes their connections, then the remaining
   * ones. Waits a short time until what was cut off has cleaned up.
   */
  close(graceMs: number): Promise<void>;
}

/** A request in work. Such requests have places in an array, because a `Map` would keep them longer (decision 0111). */
interface InWork {
  readonly response: ServerResponse;
  readonly work: Promise<void>;
}

/** The limits of connections, and the proxies to which they do not apply. */
export interface ConnectionLimits {
  readonly limits: Pick<Limits, 'transferRate' | 'connectionsPerAddress'>;
  readonly trustedProxies: TrustedProxies;
}

/** Serves an application on a port; 0 means any free port. */
export async function listen(
  app: Koa,
  host: string,
  port: number,
  { limits, trustedProxies }: ConnectionLimits,
): Promise<Listening> {
  const handle = app.callback();
  const inWork: (InWork | null)[] = [];
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (!server.listening) response.shouldKeepAlive = false;
    const target = originForm(request.url ?? '');
    if (target === null) return rejectWith(malformed(), request.socket);
    request.url = target;
    const free = inWork.indexOf(null);
    const place = free === -1 ? inWork.length : free;
    const work = handle(request, response).finally(() => {
      inWork[place] = null;
    });
    inWork[place] = { response, work };
  };
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: longestReceivingMs,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
    onRequest,
  );
  // Otherwise Node rejects them without an error body.
  server.on('checkExpectation', onRequest);
  server.maxConnections = 1_000;
  limitSlowness(server, limits.transferRate);
  server.on('connection', limitPerAddress(limits.connectionsPerAddress, trustedProxies));
  server.on('clientError', rejectUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, inWork, graceMs) };
}

/** Closes new connections of an address that has the maximum. Connections of a proxy belong to many clients. */
function limitPerAddress(most: number, trustedProxies: TrustedProxies) {
  const counts = new Map<string, number>();
  return (socket: Socket): void => {
    const { remoteAddress: address } = socket;
    if (address === undefined || isProxy(address, trustedProxies)) return;
    const count = counts.get(address) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    counts.set(address, count + 1);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  };
}

async function close(server: Server, inWork: readonly (InWork | null)[], graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Otherwise clients go on sending requests on their connections, of which the last ones would be cut off.
  for (const each of inWork) if (each) each.response.shouldKeepAlive = false;
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
  // Uploads that were cut off remove what has arrived.
  await withDeadline(cleanUpMs, Promise.allSettled(inWork.flatMap((each) => each?.work ?? [])));
}

/**
 * Responds with the usual error body to a request that is not valid HTTP and therefore never reaches the application,
 * and closes a connection whose request does not arrive in time.
 */
function rejectUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  // A browser opens connections before it needs them: a response to no request would be taken for one to the next.
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (isLate || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  rejectWith(error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge() : malformed(), socket);
}

function malformed(): ApiError {
  return badRequest('malformed_request', 'The request is not valid HTTP.');
}

function rejectWith(failure: ApiError, socket: Duplex): void {
  const { status } = failure;
  const body = JSON.stringify(errorBody(failure, ''));
  socket.end(
    `HTTP/1.1 ${status} ${errorNames[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `x-request-id: ${randomUUID()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/**
 * The path and the query of a request's target, which may also be a whole URL (RFC 9112, 3.2). Null if it is neither.
 */
function originForm(target: string): string | null {
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
