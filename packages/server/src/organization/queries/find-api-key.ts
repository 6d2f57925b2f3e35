import type { ResourceMode, Scope } from '@runward/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import type { Plan } from '../entities/organization.ts';
import { statement } from '../../database/statement.ts';

/** A key that may be used right now, with what the guard needs of its organization. */
export interface UsableKey {
  readonly id: string;
  readonly organizationId: string;
  readonly plan: Plan;
  readonly timeZone: string;
  readonly userId: string;
  readonly role: Actor['role'];
  /** Whether its last use was recorded more than a minute ago, or never. */
  readonly isStale: boolean;
  readonly scopes: readonly Scope[];
  readonly resourceMode: ResourceMode;
  readonly scopedTemplateIds: readonly string[];
  readonly scopedFolderIds: readonly string[];
}

const find = statement<UsableKey>(`
  select key.id, key.organization_id as "organizationId", organization.plan, organization.time_zone as "timeZone",
    key.created_by_user_id as "userId", maker.role, key.scopes,
    key.last_used_at is null or key.last_used_at < now() - interval '1 minute' as "isStale",
    key.resource_mode as "resourceMode", key.scoped_template_ids as "scopedTemplateIds", key.scoped_folder_ids as "scopedFolderIds"
  from api_keys key
  join organizations organization on organization.id = key.organization_id
  join users maker on maker.organization_id = key.organization_id and maker.id = key.created_by_user_id
    and maker.status = 'ACTIVE'
  where key.key_hash = $1 and key.revoked_at is null and (key.expires_at is null or key.expires_at > now())`);

/** The key with this SHA-256 unless it is revoked, expired or its maker deactivated; by the database's clock. */
export async function findApiKey(em: Em, hash: Buffer): Promise<UsableKey | null> {
  return (await find(em, hash))[0] ?? null;
}

/** Records that a key was used; at most once a minute, whatever calls it. */
export async function touchApiKey(
  em: Em,
  { organizationId, id }: Pick<UsableKey, 'organizationId' | 'id'>,
): Promise<void> {
  await sql`
    update api_keys set last_used_at = now()
    where organization_id = ${organizationId} and id = ${id}
      and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `.execute(em.getKysely());
}
