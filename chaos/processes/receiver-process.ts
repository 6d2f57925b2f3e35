import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from '@runward/testing/child';
import type { Received } from '../history/history.ts';
import type { ReceiverCommand } from './receiver.ts';

/** The process that receives for all webhooks. Disposing it stops it. */
export interface ReceiverProcess extends AsyncDisposable {
  readonly url: string;
  send(command: ReceiverCommand): void;
  /** All requests it has logged so far. */
  received(): Promise<Received[]>;
}

/** Starts the receivers. `seed` determines which of their responses are errors. */
export async function startReceiver(folder: string, seed: number): Promise<ReceiverProcess> {
  const logFile = join(folder, 'received.jsonl');
  const child = startChild('chaos/processes/receiver.ts', { args: [logFile, String(seed)], cwd: folder });
  const url = (await child.message()) as string;
  return {
    url,
    send: (command) => child.process.send(command),
    received: async () => {
      const text = await readFile(logFile, 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Received)));
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
