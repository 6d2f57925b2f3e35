import type { Actor, Reach } from '../access/actor.ts';
import { hashApiKey, isApiKey } from '../access/api-key.ts';
import { sharedLookup } from '../access/shared-lookup.ts';
import type { Database } from '../db/database.ts';
import { findApiKey, type UsableKey } from '../db/queries/find-api-key.ts';
import { unauthorized } from '../fault.ts';

/** Finds the usable key with a SHA-256 (hex); shared by requests that come at the same time. */
export type KeyLookup = (hash: string) => Promise<UsableKey | null>;

/** The look-up on a database. A key that was revoked before a request came is never taken for a good one. */
export function createKeyLookup(database: Database): KeyLookup {
  return sharedLookup((hash) => findApiKey(database.em.fork(), Buffer.from(hash, 'hex')));
}

/** Finds out who is calling from the Authorization header, or throws a 401. */
export async function authenticate(findKey: KeyLookup, authorization: string | undefined): Promise<Actor> {
  if (!authorization) {
    throw unauthorized('Authentication required: send the header "Authorization: Bearer sk_live_…".');
  }
  const plainKey = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const key = plainKey && isApiKey(plainKey) ? await findKey(hashApiKey(plainKey).toString('hex')) : null;
  if (!key) {
    throw unauthorized(
      'Authentication required: the API key is malformed, unknown, revoked or expired; use another one.',
    );
  }
  return {
    type: 'API_KEY',
    organizationId: key.organizationId,
    plan: key.plan,
    timeZone: key.timeZone,
    userId: key.userId,
    apiKeyId: key.id,
    scopes: new Set(key.scopes),
    reach: reachOf(key),
  };
}

function reachOf(key: UsableKey): Reach {
  switch (key.resourceMode) {
    case 'ALL':
      return { mode: 'ALL' };
    case 'SELECTED_TEMPLATES':
      return { mode: 'SELECTED_TEMPLATES', templateIds: key.scopedTemplateIds };
    case 'SELECTED_FOLDERS':
      return { mode: 'SELECTED_FOLDERS', folderIds: key.scopedFolderIds };
  }
}
