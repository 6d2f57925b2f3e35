import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Scope } from '@runward/contract';
import { createClient } from '@runward/sdk';
import { createMcpServer, type ServerOptions } from './server.ts';
import { version } from './version.ts';

/** The caller of a request, the way its tools reach the API, and the tools it is offered. */
export interface RequestOptions extends Pick<ServerOptions, 'groups' | 'readOnly' | 'onError'> {
  /** The API key of the caller. Every request of a tool sends it. */
  readonly apiKey: string;
  readonly scopes: readonly Scope[];
  /** Sends requests to the API. Only path, method, headers and body are used. */
  readonly fetch: typeof globalThis.fetch;
}

/** Longer than the service takes for any request. */
const timeoutMs = 60_000;

/**
 * Responds to one request of the protocol over HTTP, without a session. The response is complete: nothing is sent
 * besides the result. Subscriptions are rejected, because they would stay open. Failed API requests of tools are not
 * retried, because the client can repeat the call.
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
