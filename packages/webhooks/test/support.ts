import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { sign, type RawBody } from '../src/index.ts';

/** The secret of these tests, with characters beyond ASCII: its UTF-8 bytes are the key. */
export const secret = 'whsec_größe_3f9b0a71';

/** A delivery body as the service writes it, with some fields replaced. */
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

/** Body and headers of a valid delivery sent now. */
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
  const answer = (await response.json()) as { result?: string; error?: string; message?: string };
  return { status: response.status, contentType: response.headers.get('content-type'), answer };
}

/** Starts a server on a free port, closes it after the test, answers its address. */
export async function listen(t: ExecutionContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
