/**
 * A complete receiver for Runward's webhooks. It needs RUNWARD_SIGNING_SECRET, and listens on 127.0.0.1 at PORT (4000).
 * It prints a line for each verified delivery; if it has an IPC channel, it also sends a message to its parent process.
 * With CURSOR_FILE, RUNWARD_BASE_URL and RUNWARD_API_KEY, it fills gaps from the event feed at its start and every
 * minute. The file stores its position in the feed.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceiver, memoryDuplicateStore, toNodeHandler } from '@runward/webhooks';

/** A message to the parent process. */
export type ReceiverMessage =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'verified'; readonly event: string; readonly deliveryId: string; readonly runId: string }
  | { readonly type: 'duplicate'; readonly deliveryId: string }
  | { readonly type: 'rejected'; readonly status: number; readonly reason: string };

const memory = memoryDuplicateStore();

const receiver = createReceiver({
  secret: process.env['RUNWARD_SIGNING_SECRET'],
  duplicates: {
    claim: async (deliveryId) => {
      const isNew = await memory.claim(deliveryId);
      if (!isNew) report({ type: 'duplicate', deliveryId }, `duplicate of ${deliveryId}`);
      return isNew;
    },
    release: (deliveryId) => memory.release(deliveryId),
  },
  onError: (error, { status }) => {
    const reason = error instanceof Error ? error.message : String(error);
    report({ type: 'rejected', status, reason }, `rejected with ${status}: ${reason}`);
  },
})
  .onAny(({ event, deliveryId, data }) => {
    const runId = String(data['runId']);
    report({ type: 'verified', event, deliveryId, runId }, `${event} of run ${runId}`);
  })
  .on('run.completed', ({ data }) => {
    // Replace this with what your system does when a run is complete.
    console.log(`run ${data.runId} is complete`);
  })
  .on('approval.requested', ({ data }) => {
    // Put here how your approvers are told.
    console.log(`task ${data.runTaskId} waits for approval`);
  })
  .on('approval.granted', ({ data }) => {
    console.log(`task ${data.runTaskId} is approved`);
  })
  .on('approval.rejected', ({ data }) => {
    console.log(`task ${data.runTaskId} is rejected: ${data.comment}`);
  });

const handle = toNodeHandler(receiver);
const server = createServer((request, response) => void handle(request, response));
server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  report({ type: 'listening', url }, `listening for webhooks at ${url}`);
});

const cursorFile = process.env['CURSOR_FILE'];
if (cursorFile !== undefined) {
  void catchUp(cursorFile);
  setInterval(() => void catchUp(cursorFile), 60_000).unref();
}

/** Without a file, it begins with future events. A file that cannot be read must not make it skip any. */
function positionAtFirst(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'now';
  throw error;
}

async function catchUp(file: string): Promise<void> {
  try {
    await receiver.catchUp({
      baseUrl: process.env['RUNWARD_BASE_URL'],
      apiKey: process.env['RUNWARD_API_KEY'],
      after: await readFile(file, 'utf8').catch(positionAtFirst),
      onProgress: async ({ after }) => {
        // Replaced as a whole, so that a process that is killed meanwhile leaves a complete position.
        await writeFile(`${file}.new`, after);
        await rename(`${file}.new`, file);
      },
    });
  } catch (error) {
    // The next attempt continues where this one ended. Deliveries still arrive meanwhile.
    console.error(error instanceof Error ? error.message : error);
  }
}

function report(message: ReceiverMessage, line: string): void {
  console.log(line);
  process.send?.(message);
}

function stop(): void {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// The parent process has ended.
process.once('disconnect', stop);
