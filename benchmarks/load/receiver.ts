/**
 * Receives deliveries in a separate process. Responds with 204 at once, and records the time of each arrival. When the
 * parent process sends a number, it waits for that many arrivals since the last time and sends them back. Environment:
 * PORT.
 */
import { createServer } from 'node:http';

/** What it sends back: arrivals in epoch milliseconds, in order. */
export type Receipts = { readonly times: readonly number[] } | { readonly problem: string };

/** Longer than the interval of the service's jobs. */
const maxSilenceMs = 60_000;

let times: number[] = [];
let wanted = Infinity;
let timeout: NodeJS.Timeout | undefined;

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    times.push(performance.timeOrigin + performance.now());
    timeout?.refresh();
    if (times.length >= wanted) send({ times });
  }
  // An unread body would block the next request of the connection.
  request.resume();
  response.writeHead(204).end();
});
server.keepAliveTimeout = 65_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');

process.on('message', (count: number) => {
  wanted = count;
  const problem = () => `Only ${times.length} of ${count} deliveries arrived, then none for ${maxSilenceMs / 1000} s.`;
  timeout = setTimeout(() => send({ problem: problem() }), maxSilenceMs);
  if (times.length >= wanted) send({ times });
});
process.on('disconnect', () => process.exit(0));

function send(receipts: Receipts): void {
  clearTimeout(timeout);
  timeout = undefined;
  wanted = Infinity;
  times = [];
  process.send?.(receipts);
}
