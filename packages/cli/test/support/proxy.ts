import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';

/** What happens to a launch: it passes, its answer is lost, or it is lost before it reaches the service. */
export type Fate = 'pass' | 'lose answer' | 'lose request';

/** A launch that came by. */
export interface PassedLaunch {
  readonly title: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/**
 * Stands between the command and the service and decides what becomes of each launch. A lost one is never answered:
 * `lost` resolves when the first is, after the service has carried it out where it got the request.
 */
export async function startProxy(
  t: ExecutionContext,
  target: string,
  fateOf: (launch: PassedLaunch, index: number) => Fate,
) {
  const launches: PassedLaunch[] = [];
  const lost = Promise.withResolvers<void>();
  const server = createServer((req, res) => void pass(req, res).catch(() => res.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });

  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    const body = await buffer(req);
    const fate = method === 'POST' && url === '/runs' ? decide(body, headers['idempotency-key']) : 'pass';
    if (fate === 'lose request') return lost.resolve();

    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const answer = await fetch(target + url, {
      method,
      headers: { authorization, 'content-type': type },
      ...(method !== 'GET' && { body }),
    });
    const text = await answer.text();
    if (fate === 'lose answer') return lost.resolve();
    res
      .writeHead(answer.status, { 'content-type': 'application/json', date: answer.headers.get('date') ?? '' })
      .end(text);
  }

  function decide(body: Buffer, idempotencyKey: string | string[] | undefined): Fate {
    const { title }: { title?: string } = JSON.parse(body.toString());
    const launch = { title, idempotencyKey: String(idempotencyKey) };
    return fateOf(launch, launches.push(launch) - 1);
  }

  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, launches, lost: lost.promise };
}
