/**
 * The receivers of all webhooks, in a process that no fault affects: `node receiver.ts LOG SEED`. It logs every request
 * to LOG before it responds, as one JSON object per line (`Received`). The parent process sends the signing secret, and
 * the start and end of each outage.
 */
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '@runward/testing/random';
import { verify } from '@runward/webhooks';
import type { Received } from '../history/history.ts';
import { webhooks, type WebhookProfile } from './webhooks.ts';

/** A message of the parent process. */
export type ReceiverCommand = { readonly secret: string } | { readonly outage: boolean };

const [logFile = '', seed = ''] = process.argv.slice(2);
const random = createRandom(Number(seed), 'receiver');
let secret = '';
let outage = false;

process.on('message', (command: ReceiverCommand) => {
  if ('secret' in command) secret = command.secret;
  else outage = command.outage;
});
process.on('disconnect', () => process.exit(0));

const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAt = Date.now();
  // The sender may be killed before its request is complete.
  const body = await buffer(request).catch(() => null);
  if (!body) return;
  const path = request.url ?? '';
  const webhook = webhooks.find((candidate) => candidate.path === path);
  const problem = await verify(body, request.headers, { secret }).then(
    () => null,
    (error: unknown) => String(error),
  );
  if (webhook && webhook.maxDelayMs > 0) await pause(random.between(webhook.maxDelayMs / 5, webhook.maxDelayMs));
  const status = webhook ? statusOf(webhook) : 404;
  const id = String(request.headers['webhook-id'] ?? '');
  const line: Received = { arrivedAt, respondedAt: Date.now(), path, id, body: body.toString(), status, problem };
  appendFileSync(logFile, `${JSON.stringify(line)}\n`);
  response.writeHead(status).end();
}

function statusOf({ hasOutages, errorRate }: WebhookProfile): number {
  if (hasOutages && outage) return 503;
  return random.next() < errorRate ? 500 : 200;
}
