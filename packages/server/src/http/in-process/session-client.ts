import { createClient, type Client } from '@runward/sdk';
import { csrfHeader, sessionCookie } from '../caller/browser.ts';

/** What authenticates a session. */
export interface SessionCredentials {
  readonly token: string;
  readonly csrfToken: string;
}

/**
 * Makes the client with which pages call endpoints on behalf of a signed-in member. Roles, limits, checks and messages
 * are those of the API.
 */
export function sessionClient(send: typeof globalThis.fetch, { token, csrfToken }: SessionCredentials): Client {
  return createClient({
    // The address does not matter, because the requests do not leave the process. The key is never sent.
    baseUrl: 'http://127.0.0.1',
    apiKey: 'sk_live_session',
    maxRetries: 0,
    idempotencyKeys: false,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('authorization');
      headers.set('cookie', `${sessionCookie}=${token}`);
      headers.set(csrfHeader, csrfToken);
      return send(input, { ...init, headers });
    },
  });
}
