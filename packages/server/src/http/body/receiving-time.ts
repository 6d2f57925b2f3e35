import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Longest time that any request may take to arrive, in milliseconds: enough for a file of 5 GiB at 1.5 MB/s. */
export const longestReceivingMs = 3_600_000;

/** Longest time that a request other than an upload may take to arrive, in milliseconds. */
const usualMs = 60_000;

/** The speed of a client is measured over each period of this length, in milliseconds. */
const usualPeriodMs = 15_000;

/** For how long a client has received too slowly, and what it received meanwhile. */
const noSlowness = { ms: 0, bytes: 0 };

const allowedMs = Symbol('allowedMs');

/** A request that may take more or less than the usual time to arrive, in milliseconds. */
interface Timed {
  [allowedMs]?: number;
}

/**
 * Lets a request take this long to arrive. Node's limits are the same for all requests, but uploads need longer ones.
 */
export function allowReceiving(request: IncomingMessage & Timed, ms: number): void {
  request[allowedMs] = ms;
}

/**
 * Closes the connections of clients that send a body or receive a response slower than `bytesPerSecond`, and of
 * requests that take too long to arrive, so that they cannot hold resources. Waiting for the service does not make a
 * client slow.
 */
export function limitSlowness(server: Server, bytesPerSecond: number, periodMs = usualPeriodMs): void {
  const leastBytes = (bytesPerSecond * periodMs) / 1_000;
  const latest = new WeakMap<Socket, { readonly request: IncomingMessage & Timed; readonly began: number }>();
  server.on('request', (request) => latest.set(request.socket, { request, began: performance.now() }));
  server.on('connection', (socket) => {
    let before = { read: -Infinity, sent: 0 };
    let slow = noSlowness;
    const timer = setInterval(() => {
      const { request, began = 0 } = latest.get(socket) ?? {};
      const [read, pending] = [socket.bytesRead, socket.writableLength];
      const isArriving = request !== undefined && !request.complete;
      const isLate = isArriving && performance.now() - began > (request[allowedMs] ?? usualMs);
      const isSending = isArriving && request.readableLength === 0;
      const isSlowSender = isSending && read - before.read < leastBytes;
      const sent = socket.bytesWritten - pending;
      const newlySent = sent - before.sent;
      const isSlow = pending > 0 && newlySent < leastBytes;
      slow = isSlow ? { ms: slow.ms + periodMs, bytes: slow.bytes + newlySent } : noSlowness;
      // A part of a response counts as sent when all of it is sent, so its size decides how long it may take.
      const isSlowReceiver = slow.ms > periodMs + ((slow.bytes + pending) / bytesPerSecond) * 1_000;
      if (isLate || isSlowSender || isSlowReceiver) socket.destroy();
      before = { read: isSending ? read : -Infinity, sent };
    }, periodMs);
    timer.unref();
    socket.once('close', () => clearInterval(timer));
  });
}
