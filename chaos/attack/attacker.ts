/**
 * The organization that attacks, in a separate process, so that its work does not slow down the measurement. The parent
 * process sends an `AttackJob`. Then this process carries out one attack after the other until it is stopped, and
 * reports each as a `Wave`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Client } from '@runward/sdk';
import { Agent, fetch, request } from 'undici';
import { attacks } from './attacks.ts';

/** What the attacker gets from the parent process. */
export interface AttackJob {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How long each attack lasts in a round, in milliseconds. */
  readonly attackMs: number;
  /** Only the attacks whose names contain this text. */
  readonly only: string;
}

/**
 * The outcome of an attack in one round: how often the service responded with each status, how many connections were
 * `closed` without a response, and why the attack stopped early.
 */
export interface Wave {
  readonly attack: string;
  readonly statuses: Readonly<Record<string, number>>;
}

/** A request of the attacker. */
export interface Shot {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  /** An object is sent as JSON. */
  readonly body?: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to disconnect after half a second instead of receiving the response. */
  readonly isAbandoned?: boolean;
}

/** What an attack works with. */
export interface Attacker {
  readonly api: Client;
  readonly job: AttackJob;
  /** Whether the time of the attack is over. */
  isOver(): boolean;
  /** Sends a request and counts the status of its response. After a 429 it waits as long as the service says. */
  send(shot: Shot): Promise<void>;
  /** Counts a connection that the service has closed. */
  closed(): void;
}

/** Another address than that of the neighbor, because connections are limited by address. */
const localAddress = '127.0.0.2';
const timeoutMs = 30_000;

process.on('message', (job: AttackJob) => void attackUntilStopped(job));
process.on('disconnect', () => process.exit(0));

async function attackUntilStopped(job: AttackJob): Promise<void> {
  const dispatcher = new Agent({
    connect: { localAddress },
    connections: 150,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const { apiKey, baseUrl } = job;
  const ownFetch = ((input: string, init: object) => fetch(input, { ...init, dispatcher })) as never;
  const api = createClient({ apiKey, baseUrl, fetch: ownFetch, timeoutMs, maxRetries: 5 });
  for (;;) {
    for (const [attack, run] of Object.entries(attacks).filter(([name]) => name.includes(job.only))) {
      const statuses: Record<string, number> = {};
      const end = performance.now() + job.attackMs;
      const count = (status: string) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
      };
      const send = async (shot: Shot) => {
        try {
          const { status, retryAfterMs } = await shoot(dispatcher, job, shot);
          count(String(status));
          const left = end - performance.now();
          if (retryAfterMs > 0 && left > 0) await pause(Math.min(retryAfterMs, left));
        } catch {
          count('closed');
        }
      };
      try {
        await run({ api, job, isOver: () => performance.now() > end, send, closed: () => count('closed') });
      } catch (error) {
        // What an attack prepares can be rejected, too.
        count(`stopped: ${error instanceof Error ? error.message : String(error)}`);
        await pause(1_000);
      }
      process.send?.({ attack, statuses } satisfies Wave);
    }
  }
}

async function shoot(
  dispatcher: Agent,
  { baseUrl, apiKey }: AttackJob,
  { method = 'GET', path, body, headers, isAbandoned = false }: Shot,
): Promise<{ readonly status: number; readonly retryAfterMs: number }> {
  const {
    statusCode,
    headers: received,
    body: content,
  } = await request(baseUrl + path, {
    dispatcher,
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
  });
  if (isAbandoned) {
    content.on('error', () => {});
    await pause(500);
    content.destroy();
  } else {
    await content.dump({ limit: Infinity });
  }
  return { status: statusCode, retryAfterMs: statusCode === 429 ? Number(received['retry-after'] ?? 0) * 1_000 : 0 };
}
