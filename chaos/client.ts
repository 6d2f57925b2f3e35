import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, isApiError, isServerError, type Client, type RequestOptions } from '@runward/sdk';
import type { Deed } from './evidence.ts';

/** What a client is about to do, and what a success will have promised. */
export type Intent = Pick<Deed, 'operation' | 'title' | 'runId' | 'facts'>;

/** A client of all API processes: it asks the next one until it has an answer. */
export interface Caller {
  /** Repeats a write under one Idempotency-Key; writes down what came of it. Rejects when it was refused or never answered. */
  write<Result>(intent: Intent, send: (api: Client, options: RequestOptions) => Promise<Result>): Promise<Result>;
  /** Repeats a read. */
  read<Result>(send: (api: Client, options: RequestOptions) => Promise<Result>): Promise<Result>;
}

/** What all clients have in common. */
export interface ClientOptions {
  readonly apis: readonly { readonly baseUrl: string }[];
  readonly apiKey: string;
  readonly logFile: string;
}

/** Clients and what they did. */
export interface Clients extends Caller {
  readonly deeds: readonly Deed[];
  /** Requests that were sent, repetitions included. */
  sent(): number;
}

const patienceMs = 90_000;
const timeoutMs = 8_000;

/** Makes the clients. */
export function createClients({ apis, apiKey, logFile }: ClientOptions): Clients {
  const clients = apis.map(({ baseUrl }) => createClient({ apiKey, baseUrl, timeoutMs, maxRetries: 0 }));
  const deeds: Deed[] = [];
  let sent = 0;
  let turn = 0;

  async function insist<Result>(send: (api: Client) => Promise<Result>): Promise<Result> {
    for (const deadline = Date.now() + patienceMs; ; await pause(200 + Math.random() * 300)) {
      const api = clients[(turn += 1) % clients.length];
      if (!api) throw new Error('There is no API process to ask.');
      sent += 1;
      try {
        return await send(api);
      } catch (error) {
        if (isFinal(error) || Date.now() > deadline) throw error;
      }
    }
  }

  return {
    deeds,
    sent: () => sent,
    read: (send) => insist((api) => send(api, {})),
    write: async (intent, send) => {
      const key = randomUUID();
      const at = Date.now();
      const note = (outcome: Pick<Deed, 'status' | 'message' | 'runId'>) => {
        const deed = { at, key, ...intent, ...outcome };
        deeds.push(deed);
        appendFileSync(logFile, `${JSON.stringify(deed)}\n`);
      };
      try {
        const result = await insist((api) => send(api, { idempotencyKey: key }));
        note({ status: 200, runId: intent.runId ?? idOf(result) });
        return result;
      } catch (error) {
        const rejection = isFinal(error) && isApiError(error) ? error : null;
        note({ status: rejection?.statusCode ?? null, message: String(error), runId: intent.runId });
        throw error;
      }
    },
  };
}

/** Whether asking again is of no use. A request whose first sending still waits for the database is asked to come again. */
function isFinal(error: unknown): boolean {
  return isApiError(error) && !isServerError(error) && error.statusCode !== 429;
}

function idOf(result: unknown): string | null {
  return typeof result === 'object' && result !== null && 'id' in result ? String(result.id) : null;
}
