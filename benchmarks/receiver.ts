/**
 * Receives deliveries in a process of its own: answers 204 at once and notes when each arrived. Asked by message for a number of them, it
 * answers, as soon as that many have arrived since the last time, when they did. Environment: PORT.
 */
import { createServer } from 'node:http';

/** What is answered: milliseconds since 1970, in order. */
export type Receipts = { readonly times: readonly number[] } | { readonly problem: string };

/** Longer than jobs of the service are apart. */
const patienceMs = 60_000;

let times: number[] = [];
let wanted = Infinity;
let patience: NodeJS.Timeout | undefined;

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    times.push(performance.timeOrigin + performance.now());
    patience?.refresh();
    if (times.length >= wanted) answer({ times });
  }
  // A body nobody reads would hold up the next request of the connection.
  request.resume();
  response.writeHead(204).end();
});
server.keepAliveTimeout = 65_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');

process.on('message', (count: number) => {
  wanted = count;
  const problem = () => `Of ${count} deliveries only ${times.length} arrived; then none for ${patienceMs / 1000} s.`;
  patience = setTimeout(() => answer({ problem: problem() }), patienceMs);
  if (times.length >= wanted) answer({ times });
});
process.on('disconnect', () => process.exit(0));

function answer(receipts: Receipts): void {
  clearTimeout(patience);
  patience = undefined;
  wanted = Infinity;
  times = [];
  process.send?.(receipts);
}
