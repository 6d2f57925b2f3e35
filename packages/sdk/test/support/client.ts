import type { ExecutionContext } from 'ava';
import { buildClient } from '../../src/client.ts';
import type { ClientOptions } from '../../src/index.ts';
import { startServer, type Respond } from './http-server.ts';

/** The key of these tests. */
export const apiKey = 'sk_live_TestOnly0123456789abcdef';

/** An id. */
export const id = '0195f3a0-0000-7000-8000-000000000001';

/** A server and a client for it. Waits between attempts are noted and skipped; the dice of their jitter shows 0.5. */
export async function newClient(t: ExecutionContext, respond: Respond, options: ClientOptions = {}) {
  const server = await startServer(t, respond);
  const waits: number[] = [];
  const timing = {
    sleep: async (ms: number) => {
      waits.push(ms);
    },
    random: () => 0.5,
  };
  const runward = buildClient({ apiKey, ...server, ...options }, timing);
  return { ...server, runward, waits };
}

/** The error a call rejects with. */
export async function errorOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('The call was to fail, and succeeded.');
}
