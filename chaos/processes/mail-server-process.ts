import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from '@runward/testing/child';
import type { Reception } from '../history/mail-history.ts';
import type { MailServerCommand } from './mail-server.ts';

/** The process that is the mail server of the service. Disposing it stops it. */
export interface MailServerProcess extends AsyncDisposable {
  /** Its URL for a worker, which greets it with its name. */
  urlFor(worker: string): string;
  /**
   * Makes it hold its answers to a worker. Resolves when it has all of a mail of the worker, or after `maxMs`.
   */
  hold(worker: string, maxMs: number): Promise<void>;
  /** Has it give the answers that it holds. */
  release(): void;
  /** All mails it has logged so far. */
  received(): Promise<Reception[]>;
}

/** Starts the mail server. `seed` determines which of its answers are errors. */
export async function startMailServer(folder: string, seed: number): Promise<MailServerProcess> {
  const logFile = join(folder, 'mails.jsonl');
  const child = startChild('chaos/processes/mail-server.ts', { args: [logFile, String(seed)], cwd: folder });
  const url = (await child.message()) as string;
  const send = (command: MailServerCommand) => child.process.send(command);
  return {
    urlFor: (worker) => `${url}&name=${worker.replace(' ', '-')}`,
    hold: async (worker, maxMs) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const listen = (held: unknown) => held === worker && resolve();
      const timeout = setTimeout(resolve, maxMs);
      child.process.on('message', listen);
      send({ hold: worker });
      await promise;
      clearTimeout(timeout);
      child.process.off('message', listen);
    },
    release: () => void send({ hold: null }),
    received: async () => {
      const text = await readFile(logFile, 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Reception)));
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
