import { LRUCache } from 'lru-cache';
import type { Actor } from '../../access/actor.ts';
import { resourceScopeOf } from '../../access/resource-scope/restriction.ts';
import type { Database } from '../../database/database.ts';
import { sharedReads } from '../../database/shared-read.ts';
import { findApiKey, type FoundKey, type UsableKey } from '../../organization/queries/find-api-key.ts';

/** A key with who calls with it. */
export interface KnownKey extends Pick<FoundKey, 'text' | 'key'> {
  readonly actor: Actor;
  /** Whether its use has to be recorded. */
  isStale: boolean;
}

/** Finds keys by their SHA-256 in hex. */
export interface KeyLookup {
  /** The key as it is in the database, null if it is not usable. Concurrent requests share a look-up. */
  find(hash: string): Promise<KnownKey | null>;
  /** The key as it was when it was last found. Whoever uses it has to confirm that it still is (`access/key-check.ts`). */
  cached(hash: string): KnownKey | undefined;
}

/** In characters of what is cached: some 10,000 keys, or fewer that name many templates. */
const cacheSize = 8_000_000;

/** Creates the lookup on a database. A key is cached until its use has to be recorded again, which is for at most a minute. */
export function createKeyLookup(database: Database): KeyLookup {
  const cache = new LRUCache<string, KnownKey>({
    maxSize: cacheSize,
    sizeCalculation: ({ text }) => text.length + 300,
  });
  const shared = sharedReads<KnownKey | null>();
  const find = async (hash: string) => {
    const found = await findApiKey(database.em.fork(), Buffer.from(hash, 'hex'));
    if (!found) {
      cache.delete(hash);
      return null;
    }
    const { text, key, isStale, freshMs } = found;
    const known = { text, key, isStale, actor: actorOf(key) };
    if (freshMs > 0) cache.set(hash, known, { ttl: freshMs });
    return known;
  };
  return {
    find: async (hash) => shared(hash, async () => find(hash)),
    cached: (hash) => cache.get(hash),
  };
}

function actorOf(key: UsableKey): Actor {
  const { id, organizationId, plan, timeZone, userId, role, scopes } = key;
  return {
    type: 'API_KEY',
    organizationId,
    plan,
    timeZone,
    userId,
    apiKeyId: id,
    sessionId: null,
    role,
    scopes: new Set(scopes),
    resourceScope: resourceScopeOf(key),
  };
}
