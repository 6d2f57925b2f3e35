import type { Scope } from '@runward/contract';
import type { Client } from '@runward/sdk';

/** How long the scopes of a key are used before they are read again. They rarely change, and the service checks every request. */
const freshMs = 60_000;

/** Reads the scopes of the key of a client, at most once a minute. A failure is not kept. */
export function scopesOf({ me }: Client): () => Promise<readonly Scope[]> {
  let known: { readonly scopes: readonly Scope[]; readonly at: number } | undefined;
  return async () => {
    if (known === undefined || performance.now() - known.at > freshMs) {
      const caller = await me.get();
      known = { scopes: caller.type === 'API_KEY' ? caller.apiKey.scopes : [], at: performance.now() };
    }
    return known.scopes;
  };
}
