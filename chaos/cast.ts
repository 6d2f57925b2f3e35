import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@runward/sdk';
import { startActor, type Actor } from './actor.ts';
import { createClients, type Clients } from './client.ts';
import type { Exit } from './evidence.ts';
import { prepare, type Process } from './prepare.ts';
import { startReceiver, type ReceiverProcess } from './receiver-process.ts';

/** Everybody who takes part in a storm. */
export interface Cast {
  readonly apis: readonly Actor[];
  readonly workers: readonly Actor[];
  readonly receiver: ReceiverProcess;
  readonly clients: Clients;
  readonly process: Process;
  /** Grows with every process of the service that ends. */
  readonly exits: readonly Exit[];
}

/** How a storm is cast. */
export interface CastOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly seed: number;
  readonly apis: number;
  readonly workers: number;
  readonly retrySchedule: string;
  /** Takes what has to be stopped however the storm ends. */
  readonly started: AsyncDisposableStack;
}

/** Starts the processes of the service and the receivers, and publishes what the clients work with. */
export async function startCast(options: CastOptions): Promise<Cast> {
  const { databaseUrl, folder, seed, retrySchedule, started } = options;
  const receiver = await startReceiver(folder, seed);
  started.defer(() => receiver.stop());
  const exits: Exit[] = [];
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    WEBHOOK_ALLOW_LOCAL: 'true',
    WEBHOOK_RETRY_SCHEDULE: retrySchedule,
    RATE_LIMIT_WRITES_PER_MINUTE: '10000000',
    RATE_LIMIT_READS_PER_MINUTE: '10000000',
  };
  const start = async (role: Actor['role'], count: number) => {
    const actors: Actor[] = [];
    for (let number = 1; number <= count; number += 1) {
      const actor = await startActor({
        name: `${role} ${number}`,
        role,
        env,
        folder,
        onExit: (exit) => exits.push(exit),
      });
      started.defer(() => actor.stop());
      actors.push(actor);
    }
    return actors;
  };
  const apis = await start('api', options.apis);
  const workers = await start('worker', options.workers);
  await Promise.all([...apis, ...workers].map((actor) => actor.ready()));

  const credentials = await readFile(join(folder, 'credentials.json'), 'utf8');
  const { apiKey, signingSecret } = JSON.parse(credentials) as { apiKey: string; signingSecret: string };
  receiver.tell({ secret: signingSecret });
  const process = await prepare(createClient({ apiKey, baseUrl: apis[0]?.baseUrl }), receiver.url);
  const clients = createClients({ apis, apiKey, logFile: join(folder, 'deeds.jsonl') });
  return { apis, workers, receiver, clients, process, exits };
}
