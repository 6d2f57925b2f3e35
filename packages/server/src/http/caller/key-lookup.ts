import type { Actor } from '../../access/actor.ts';
import { resourceScopeOf } from '../../access/resource-scope/restriction.ts';
import { batch } from '../../database/batch.ts';
import type { Em } from '../../database/database.ts';
import { findApiKeys, touchApiKey, type UsableKey } from '../../organization/queries/find-api-keys.ts';
import type { Caller } from './authenticate.ts';

/**
 * Makes the look-up of keys by their SHA-256. It returns null if a key is not usable. Requests that arrive at the same
 * time share a statement. The statement always begins after the request has arrived, so no request gets an outdated
 * key.
 */
export function keyLookup(): (call: { readonly em: Em; readonly hash: Buffer }) => Promise<Caller | null> {
  return batch(
    async (calls) => {
      const [first] = calls;
      if (!first) return [];
      const hashes = calls.map(({ hash }) => hash.toString('hex'));
      const keys = await findApiKeys(first.em, hashes);
      const callers = new Map([...keys].map(([hash, key]) => [hash, callerOf(key)]));
      return hashes.map((hash) => callers.get(hash) ?? null);
    },
    { atATime: 2, most: 50, retriesAlone: () => true },
  );
}

function callerOf(key: UsableKey): Caller {
  let isDue = key.isStale;
  // Requests that share the look-up record the use of the key only once.
  const touch = async (em: Em) => {
    if (!isDue) return;
    isDue = false;
    await touchApiKey(em, key);
  };
  return { actor: actorOf(key), move: key.move, touch: key.isStale ? touch : null };
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
