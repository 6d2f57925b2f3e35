import type { Dispatcher, fetch } from 'undici';
import { version } from '../../version.ts';

/** Sends a request to a provider. */
export type ProviderFetch = (url: string, init: object) => Promise<Response>;

/** The HTTP client for providers. */
export interface ProviderHttp {
  readonly fetch: ProviderFetch;
  /** Closes all connections immediately. */
  close(): Promise<void>;
}

/** The time limit of one request to a provider, in seconds. A sign-in needs up to four. */
export const requestSeconds = 5;

/** How far the clock of a provider may be off, in seconds. */
export const clockToleranceSeconds = 60;

const ms = requestSeconds * 1_000;
const maximumBodyBytes = 1_000_000;

/**
 * Creates the HTTP client. Unlike that of webhooks it has no rules for addresses: operators choose providers, which
 * often run in their own network. Redirects are not followed.
 */
export function createProviderHttp(): ProviderHttp {
  let opening: Promise<{ agent: Dispatcher; send: typeof fetch }> | undefined;
  return {
    fetch: async (url, init) => {
      const { agent, send } = await (opening ??= open());
      const given = init as { headers?: Record<string, string> };
      const headers = { ...Object.fromEntries(new Headers(given.headers)), 'user-agent': `Runward/${version}` };
      return send(url, { ...init, headers, redirect: 'manual', dispatcher: agent });
    },
    close: async () => (await opening)?.agent.destroy(),
  };
}

/** Loads undici, which many processes never need, and opens its pool of connections. */
async function open() {
  const { Agent, fetch: send } = await import('undici');
  const agent = new Agent({
    connect: { timeout: ms },
    headersTimeout: ms,
    bodyTimeout: ms,
    maxResponseSize: maximumBodyBytes,
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 2_000,
  });
  return { agent, send };
}
