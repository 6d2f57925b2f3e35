import { randomUUID } from 'node:crypto';
import { startChild } from '../child.ts';
import { freePort } from '../ports.ts';
import type { ProviderCommand } from './provider-process.ts';

/** A real OpenID Connect provider in another process. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Registers the service as a client. */
  register(client: { redirectUri: string; logoutUri: string }): Promise<{ id: string; secret: string }>;
  /** Adds an account, or changes its claims. */
  account(subject: string, claims: Readonly<Record<string, unknown>>): Promise<void>;
  /** Determines who signs in when the provider is asked next. */
  next(subject: string): Promise<void>;
  /** Replaces its key. */
  rotateKeys(): Promise<void>;
}

/** Starts a provider on loopback. Disposing it stops it. */
export async function startProvider(): Promise<TestProvider> {
  const port = await freePort();
  const child = startChild('packages/testing/src/openid/provider-process.ts', { args: [String(port)] });
  await child.message();
  const issuer = `http://127.0.0.1:${port}`;
  const control = async (command: ProviderCommand) => {
    const response = await fetch(`${issuer}/control`, { method: 'POST', body: JSON.stringify(command) });
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    issuer,
    register: async (uris) => {
      const client = { id: randomUUID(), secret: randomUUID() };
      await control({ client: { ...client, ...uris } });
      return client;
    },
    account: (subject, claims) => control({ account: { subject, claims } }),
    next: (subject) => control({ next: subject }),
    rotateKeys: () => control({ rotateKeys: true }),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
