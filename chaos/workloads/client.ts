import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, isApiError, isServerError, type ApiError, type Client, type RequestOptions } from '@runward/sdk';
import type { Operation } from '../history/history.ts';
import type { FailedAttempt } from '../history/process-history.ts';
import { createFileLog, type FileLog } from './file-log.ts';
import type { Pace } from './pace.ts';
import { slowFetch } from './slow-fetch.ts';

/** A client's next write, and the facts that a success will promise. */
export interface Intent extends Pick<Operation, 'name' | 'title' | 'runId' | 'facts'> {
  /** Who sends it, the client itself by default. */
  readonly by?: 'client' | 'approver' | undefined;
}

/** A client of all API processes. It tries them in turn until one responds. */
export interface Caller {
  /**
   * Retries a write with one Idempotency-Key and records the operation. Rejects if it was rejected or never got a
   * response.
   */
  write<Result>(intent: Intent, send: (api: Client, options: RequestOptions) => Promise<Result>): Promise<Result>;
  /** Retries a read, or what may be repeated without a key. `baseUrl` is the process whose turn it is. */
  read<Result>(
    send: (api: Client, options: RequestOptions, baseUrl: string) => Promise<Result>,
    name?: string,
  ): Promise<Result>;
  readonly files: FileLog;
  /** When requests may be sent that these functions do not send. */
  readonly pace: Pace;
}

/** What all clients share. */
export interface ClientOptions {
  readonly apis: readonly { readonly name: string; readonly baseUrl: string }[];
  readonly apiKey: string;
  /** The key of the member who decides on approvals. */
  readonly approverKey: string;
  /** The folder of the logs. */
  readonly folder: string;
  readonly pace: Pace;
}

/** Clients and their operations. */
export interface Clients extends Caller {
  readonly operations: readonly Operation[];
  readonly failures: readonly FailedAttempt[];
  /** The number of requests sent so far, retries included. */
  sent(): number;
  /** Resolves when the next write of this name is sent to an API process, or after `maxMs`. */
  nextWrite(name: string, baseUrl: string, maxMs: number): Promise<void>;
}

const maxRetryMs = 90_000;
const timeoutMs = 8_000;

/** Creates the clients. */
export function createClients({ apis, apiKey, approverKey, folder, pace }: ClientOptions): Clients {
  const logFile = join(folder, 'operations.jsonl');
  const failureFile = join(folder, 'failures.jsonl');
  const clientsWith = (key: string) =>
    apis.map(({ baseUrl }) => createClient({ apiKey: key, baseUrl, timeoutMs, maxRetries: 0, fetch: slowFetch }));
  const clients = { client: clientsWith(apiKey), approver: clientsWith(approverKey) };
  const operations: Operation[] = [];
  const failures: FailedAttempt[] = [];
  const sending = new EventEmitter();
  let sent = 0;
  let turn = 0;

  async function retry<Result>(
    send: (api: Client, baseUrl: string) => Promise<Result>,
    { by = 'client', name = '' }: { readonly by?: Intent['by']; readonly name?: string | undefined } = {},
  ): Promise<Result> {
    for (const deadline = Date.now() + maxRetryMs; ; await pause(200 + Math.random() * 300)) {
      const index = (turn += 1) % apis.length;
      const api = clients[by][index];
      const called = apis[index];
      if (!api || !called) throw new Error('The cluster has no API process.');
      const { baseUrl, name: process } = called;
      await pace();
      const from = Date.now();
      sent += 1;
      sending.emit(`${name} ${baseUrl}`);
      try {
        return await send(api, baseUrl);
      } catch (error) {
        if (isFinal(error)) throw error;
        const failure = { process, name, from, to: Date.now(), ...outcomeOf(error) };
        failures.push(failure);
        appendFileSync(failureFile, `${JSON.stringify(failure)}\n`);
        if (Date.now() > deadline) throw error;
      }
    }
  }

  return {
    operations,
    failures,
    pace,
    files: createFileLog(join(folder, 'files.jsonl')),
    sent: () => sent,
    nextWrite: async (name, baseUrl, maxMs) => {
      await once(sending, `${name} ${baseUrl}`, { signal: AbortSignal.timeout(maxMs) }).catch(() => {});
    },
    read: (send, name) => retry((api, baseUrl) => send(api, {}, baseUrl), { name }),
    write: async ({ by, ...intent }, send) => {
      const key = randomUUID();
      const at = Date.now();
      const record = (response: Pick<Operation, 'status' | 'message' | 'runId'>) => {
        const operation = { at, key, ...intent, ...response };
        operations.push(operation);
        appendFileSync(logFile, `${JSON.stringify(operation)}\n`);
      };
      try {
        const result = await retry((api) => send(api, { idempotencyKey: key }), { by, name: intent.name });
        record({ status: 200, runId: intent.runId ?? idOf(result) });
        return result;
      } catch (error) {
        const rejection = isFinal(error) ? error : null;
        record({ status: rejection?.statusCode ?? null, message: String(error), runId: intent.runId });
        throw error;
      }
    },
  };
}

/**
 * Whether retrying is pointless. A 429 is not final: the first request with the same key may still wait for the
 * database.
 */
export function isFinal(error: unknown): error is ApiError {
  return isApiError(error) && !isServerError(error) && error.statusCode !== 429;
}

function outcomeOf(error: unknown): Pick<FailedAttempt, 'status' | 'message'> {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return { status: isApiError(error) ? error.statusCode : null, message: `${String(error)}${cause}` };
}

function idOf(result: unknown): string | null {
  return typeof result === 'object' && result !== null && 'id' in result ? String(result.id) : null;
}
