import type { Actor, Reach } from '../access/actor.ts';
import { hashApiKey, isApiKey } from '../access/api-key.ts';
import type { Em } from '../db/database.ts';
import { findApiKey, type UsableKey } from '../db/queries/find-api-key.ts';
import { unauthorized } from '../fault.ts';

/** Finds out who is calling from the Authorization header, or throws a 401. */
export async function authenticate(em: Em, authorization: string | undefined): Promise<Actor> {
  if (!authorization) {
    throw unauthorized('Authentication required: send the header "Authorization: Bearer sk_live_…".');
  }
  const plainKey = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  const key = plainKey && isApiKey(plainKey) ? await findApiKey(em, hashApiKey(plainKey)) : null;
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
