import type { Em } from '../database/database.ts';
import { ApiKey } from './entities/api-key.ts';
import { lockOrganization } from './queries/lock-organization.ts';
import { badRequest } from '../api-error.ts';

const mostActive = 100;

/** The where of a query over keys that can be used, as long as their makers are active. */
export function activeKeys(organizationId: string, now: Date) {
  return { organizationId, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
}

/** Throws a 400 where an organization has as many keys as it may. Creations come one after the other until they commit. */
export async function ensureKeyRoom(em: Em, organizationId: string, now: Date): Promise<void> {
  await lockOrganization(em, organizationId);
  if ((await em.count(ApiKey, activeKeys(organizationId, now))) < mostActive) return;
  throw badRequest(`The organization has ${mostActive} active API keys, the maximum; revoke one first.`);
}
