import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '@runward/testing/http-server';
import type { ExecutionContext } from 'ava';
import { startCommand } from './command.ts';
import type { Workplace } from './service.ts';

const forwarded = new Set(['authorization', 'content-type', 'idempotency-key', 'if-match']);

/**
 * Runs a command through a proxy. `onWrite` is called before a write is forwarded, and may interrupt the command; if it
 * returns false, the write is forwarded and its response is lost.
 */
export async function runThroughProxy(
  t: ExecutionContext,
  { env, baseUrl }: Workplace,
  args: readonly string[],
  { input, onWrite }: { input?: string; onWrite: (index: number, interrupt: () => void) => boolean },
) {
  let writes = 0;
  const forward = async (req: IncomingMessage, res: ServerResponse) => {
    const { method = '', url = '' } = req;
    const body = await buffer(req);
    const isAnswered = method === 'GET' || onWrite(writes++, command.interrupt);
    const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => forwarded.has(name))) as Record<
      string,
      string
    >;
    const response = await fetch(baseUrl + url, { method, headers, ...(body.length > 0 && { body }) });
    const text = await response.text();
    if (isAnswered) res.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
    else res.destroy();
  };
  const server = createServer((req, res) => void forward(req, res).catch(() => res.destroy()));
  t.teardown(() => closeServer(server));
  const through = { ...env, RUNWARD_BASE_URL: `http://127.0.0.1:${await listenOnLoopback(server)}` };
  const command = startCommand(args, { env: through, ...(input !== undefined && { input }) });
  return command.finished;
}
