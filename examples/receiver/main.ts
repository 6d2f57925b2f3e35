/**
 * A complete receiver of Runward's webhooks. It needs RUNWARD_SIGNING_SECRET and listens on 127.0.0.1 at PORT (4000). Each
 * delivery it verified is a line on standard output. When another program started it with an IPC channel, that program
 * is told the same in messages. With CURSOR_FILE, RUNWARD_BASE_URL and RUNWARD_API_KEY it also fills gaps from the feed of events,
 * at its start and every minute; the file keeps how far it came.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceiver, memoryDuplicateStore, toNodeHandler } from '@runward/webhooks';

/** What the program that started this one is told. */
export type ReceiverMessage =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'verified'; readonly event: string; readonly deliveryId: string; readonly runId: string }
  | { readonly type: 'duplicate'; readonly deliveryId: string }
  | { readonly type: 'refused'; readonly status: number; readonly reason: string };

const memory = memoryDuplicateStore();

const receiver = createReceiver({
  secret: process.env['RUNWARD_SIGNING_SECRET'],
  duplicates: {
    claim: async (deliveryId) => {
      const isNew = await memory.claim(deliveryId);
      if (!isNew) tell({ type: 'duplicate', deliveryId }, `duplicate of ${deliveryId}`);
      return isNew;
    },
    release: (deliveryId) => memory.release(deliveryId),
  },
  onError: (error, { status }) => {
    const reason = error instanceof Error ? error.message : String(error);
    tell({ type: 'refused', status, reason }, `refused with ${status}: ${reason}`);
  },
})
  .onAny(({ event, deliveryId, data }) => {
    const runId = String(data['runId']);
    tell({ type: 'verified', event, deliveryId, runId }, `${event} of run ${runId}`);
  })
  .on('run.completed', ({ data }) => {
    // The place for what has to happen then: tell a system of record, send a mail.
    console.log(`run ${data.runId} is complete`);
  });

const handle = toNodeHandler(receiver);
const server = createServer((request, response) => void handle(request, response));
server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  tell({ type: 'listening', url }, `waiting for webhooks at ${url}`);
});

const cursorFile = process.env['CURSOR_FILE'];
if (cursorFile !== undefined) {
  void catchUp(cursorFile);
  setInterval(() => void catchUp(cursorFile), 60_000).unref();
}

async function catchUp(file: string): Promise<void> {
  try {
    await receiver.catchUp({
      baseUrl: process.env['RUNWARD_BASE_URL'],
      apiKey: process.env['RUNWARD_API_KEY'],
      after: await readFile(file, 'utf8').catch(() => 'now'),
      onProgress: ({ after }) => writeFile(file, after),
    });
  } catch (error) {
    // The next one goes on where this one ended, while deliveries come in as ever.
    console.error(error instanceof Error ? error.message : error);
  }
}

function tell(message: ReceiverMessage, line: string): void {
  console.log(line);
  process.send?.(message);
}

function stop(): void {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// The program that started this one is gone: nobody would end it.
process.once('disconnect', stop);
