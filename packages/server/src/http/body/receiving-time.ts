import type { IncomingMessage } from 'node:http';

/** Longest time that any request may take to arrive, in milliseconds: that of a file of 5 GiB at 1.5 MB/s. */
export const longestReceivingMs = 3_600_000;

/** Of a request that is not an upload. */
const usualMs = 60_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Closes the connection of a request whose body has not arrived within the time. The limits of Node are the same for all requests, and
 * uploads need more than others.
 */
export function limitReceiving(request: IncomingMessage, ms: number = usualMs): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  clearTimeout(timers.get(request));
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, ms);
  timers.set(request, timer.unref());
  request.once('close', () => clearTimeout(timer));
}
