import { badRequest } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { lockRow } from '../database/lock-row.ts';
import { ApiKey } from './entities/api-key.ts';
import { Organization } from './entities/organization.ts';

const maximumActiveKeys = 100;

/** The `where` of a query for keys that are neither revoked nor expired. */
export function activeKeys(organizationId: string, now: Date) {
  return { organizationId, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
}

/** Throws a 400 if the organization has reached its limit of active keys. Creations wait for each other's commit. */
export async function ensureBelowKeyLimit(em: Em, organizationId: string, now: Date): Promise<void> {
  await lockRow(em, Organization, { id: organizationId }, 'no key update');
  if ((await em.count(ApiKey, activeKeys(organizationId, now))) < maximumActiveKeys) return;
  throw badRequest(
    'limit_reached',
    `The organization has ${maximumActiveKeys} active API keys, the maximum; revoke one first.`,
  );
}
