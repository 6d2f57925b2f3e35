/**
 * The receivers of all webhooks, as a process of its own that survives: `node receiver.ts LOG SEED`. It writes every request to LOG before
 * it answers, one JSON a line (`Received`). The parent sends the signing secret, and when an outage begins and ends.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { verify } from '@runward/webhooks';
import type { Received } from './evidence.ts';
import { hooks, type Hook } from './hooks.ts';
import { createRandom } from './random.ts';

/** What the parent tells it. */
export type Order = { readonly secret: string } | { readonly outage: boolean };

const [logFile = '', seed = ''] = process.argv.slice(2);
const random = createRandom(Number(seed), 'receiver');
let secret = '';
let outage = false;

process.on('message', (order: Order) => {
  if ('secret' in order) secret = order.secret;
  else outage = order.outage;
});
process.on('disconnect', () => process.exit(0));

const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAt = Date.now();
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    // Whoever sent it was killed half-way; there is nobody to answer.
    return;
  }
  const body = Buffer.concat(chunks);
  const path = request.url ?? '';
  const hook = hooks.find((candidate) => candidate.path === path);
  const problem = await verify(body, request.headers, { secret }).then(
    () => null,
    (error: unknown) => String(error),
  );
  if (hook && hook.slowMs > 0) await pause(random.between(hook.slowMs / 5, hook.slowMs));
  const status = hook ? statusOf(hook) : 404;
  const id = String(request.headers['webhook-id'] ?? '');
  const line: Received = { arrivedAt, answeredAt: Date.now(), path, id, body: body.toString(), status, problem };
  appendFileSync(logFile, `${JSON.stringify(line)}\n`);
  response.writeHead(status).end();
}

function statusOf({ hasOutages, failing }: Hook): number {
  if (hasOutages && outage) return 503;
  return random.next() < failing ? 500 : 200;
}
