import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Scope } from '@runward/contract';
import { createClient } from '@runward/sdk';
import { createMcpServer, type ServerOptions } from './server.ts';
import { version } from './version.ts';

/** The caller of a request, how its tools reach the API, and what it is offered. */
export interface RequestOptions extends Pick<ServerOptions, 'groups' | 'readOnly' | 'onError'> {
  /** The key of the caller, which every request of a tool carries. */
  readonly apiKey: string;
  readonly scopes: readonly Scope[];
  /** The API. Only the path, the method, the headers and the body of its requests are meant for it. */
  readonly fetch: typeof globalThis.fetch;
}

/** Longer than the service takes for any request. */
const timeoutMs = 60_000;

/**
 * Responds to one request of the protocol over HTTP, without a session. The response is complete: nothing is sent beside results, and
 * subscriptions, which would stay open, are rejected. Requests of tools are not repeated, because the client can do that.
 */
export async function respondTo(
  request: Request,
  { apiKey, scopes, fetch, ...offered }: RequestOptions,
): Promise<Response> {
  const baseUrl = 'http://127.0.0.1';
  const client = createClient({
    apiKey,
    baseUrl,
    fetch,
    timeoutMs,
    maxRetries: 0,
    appInfo: { name: 'runward-mcp', version },
  });
  const createServer = () => createMcpServer({ client, scopes: async () => scopes, ...offered });
  return createMcpHandler(createServer, { maxSubscriptions: 0 }).fetch(request);
}
