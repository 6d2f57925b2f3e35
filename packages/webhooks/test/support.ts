import type { Server } from 'node:http';
import { closeServer, listenOnLoopback } from '@runward/testing/http-server';
import type { ExecutionContext } from 'ava';
import { sign, type RawBody } from '../src/index.ts';

/** The secret of these tests. It is not ASCII, because the key is its UTF-8 bytes. */
export const secret = 'whsec_größe_3f9b0a71';

/** The body of a delivery, with some fields replaced. */
export function payload(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    event: 'run.completed',
    deliveryId: crypto.randomUUID(),
    timestamp: '2026-03-01T09:30:00.000Z',
    orgId: '0195f3a0-0000-7000-8000-000000000001',
    data: {
      runId: '0195f3a0-0000-7000-8000-000000000002',
      templateId: '0195f3a0-0000-7000-8000-000000000003',
      sequence: 4,
    },
    ...fields,
  });
}

/** The body and headers of a valid delivery that is sent now. */
export async function delivery(rawBody: RawBody = payload()) {
  return { rawBody, headers: await sign(rawBody, { secret }) };
}

/** Sends a signed POST, with some headers replaced. */
export async function post(
  url: string,
  rawBody: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const signed = await sign(rawBody, { secret });
  const response = await fetch(url, { method: 'POST', body: rawBody, headers: { ...signed, ...headers } });
  const json = (await response.json()) as { result?: string; error?: string; message?: string };
  return { status: response.status, contentType: response.headers.get('content-type'), json };
}

/** Starts a server on a free port and returns its address. The server stops with the test. */
export async function listen(t: ExecutionContext, server: Server): Promise<string> {
  t.teardown(() => closeServer(server));
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}
