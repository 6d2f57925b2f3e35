import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, fail, listenOnLoopback } from '@runward/testing/http-server';
import type { ExecutionContext } from 'ava';

/**
 * What the proxy does with a request that launches rows: forwards it, forwards it and drops the response or responds
 * with a 503, drops the request, or rejects it by a rate limit.
 */
export type Decision = 'forward' | 'drop response' | 'fail response' | 'drop request' | 'limit';

/** A request to launch rows that the proxy received. */
export interface ReceivedLaunch {
  readonly titles: readonly (string | undefined)[];
  readonly idempotencyKey: string | undefined;
}

/**
 * A proxy between the command and the service that decides what happens to each launch. A dropped launch never gets a
 * response. `dropped` resolves at the first one; if the request was forwarded, after the service has executed it.
 */
export async function startProxy(
  t: ExecutionContext,
  target: string,
  decide: (launch: ReceivedLaunch, index: number) => Decision,
) {
  const launches: ReceivedLaunch[] = [];
  const dropped = Promise.withResolvers<void>();
  const server = createServer((req, res) => void forward(req, res).catch(() => res.destroy()));
  const port = await listenOnLoopback(server);
  t.teardown(() => closeServer(server));

  async function forward(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    const body = await buffer(req);
    const decision = method === 'POST' && url === '/runs/bulk' ? record(body, headers['idempotency-key']) : 'forward';
    if (decision === 'drop request') return dropped.resolve();

    if (decision === 'limit') return fail(res, 429, { retryAfter: 50 }, { 'retry-after': '50' });

    const { authorization = '', 'content-type': type = 'application/json', 'idempotency-key': key } = headers;
    const response = await fetch(target + url, {
      method,
      headers: { authorization, 'content-type': type, ...(key !== undefined && { 'idempotency-key': String(key) }) },
      ...(method !== 'GET' && { body }),
    });
    const text = await response.text();
    if (decision === 'drop response') return dropped.resolve();
    if (decision === 'fail response') return fail(res, 503, {});
    res
      .writeHead(response.status, {
        'content-type': 'application/json',
        date: response.headers.get('date') ?? '',
        'idempotency-replayed': response.headers.get('idempotency-replayed') ?? 'false',
      })
      .end(text);
  }

  function record(body: Buffer, idempotencyKey: string | string[] | undefined): Decision {
    const { runs }: { runs: { title?: string }[] } = JSON.parse(body.toString());
    const launch = { titles: runs.map(({ title }) => title), idempotencyKey: String(idempotencyKey) };
    return decide(launch, launches.push(launch) - 1);
  }

  return { baseUrl: `http://127.0.0.1:${port}`, launches, dropped: dropped.promise };
}
