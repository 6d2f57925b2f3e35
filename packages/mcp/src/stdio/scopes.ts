import type { Scope } from '@runward/contract';
import type { Client } from '@runward/sdk';

/** How long the scopes of a key are cached. They rarely change, and the service checks every request anyway. */
const freshMs = 60_000;

/** Reads the scopes of a client's key at most once a minute. A failure is not cached. */
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
