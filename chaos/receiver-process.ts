import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Received } from './evidence.ts';
import type { Order } from './receiver.ts';

/** The process that receives for all webhooks. */
export interface ReceiverProcess {
  readonly url: string;
  tell(order: Order): void;
  /** All it was sent so far. */
  log(): Promise<Received[]>;
  stop(): Promise<void>;
}

/** Starts the receivers; `seed` decides which of their answers fail. */
export async function startReceiver(folder: string, seed: number): Promise<ReceiverProcess> {
  const logFile = join(folder, 'received.jsonl');
  const child = fork(join(import.meta.dirname, 'receiver.ts'), [logFile, String(seed)], {
    cwd: folder,
    execArgv: ['--conditions=@runward/source'],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ended = once(child, 'exit');
  const [url] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The receiver ended before it listened.'))),
  ])) as [string];
  return {
    url,
    tell: (order) => child.send(order),
    log: async () => {
      const text = await readFile(logFile, 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Received)));
    },
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
