import { sql } from 'kysely';
import { selectList } from '../../database/columns.ts';
import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';
import { statement } from '../../database/statement.ts';
import { ApiKey } from '../entities/api-key.ts';
import type { MoveStep } from '../entities/organization-move.ts';
import { Organization } from '../entities/organization.ts';
import { User } from '../entities/user.ts';

const ofKey = ['id', 'organizationId', 'scopes', 'resourceMode', 'scopedTemplateIds', 'scopedFolderIds'] as const;
const ofOrganization = ['plan', 'timeZone'] as const;

/** A key that is usable now, with what the guard must know about its organization and its member. */
export interface UsableKey
  extends
    Pick<ApiKey, (typeof ofKey)[number]>,
    Pick<Organization, (typeof ofOrganization)[number]>,
    Pick<User, 'role'> {
  readonly userId: string;
  /** How far the move of its organization to another cell is; null if there is none. */
  readonly move: MoveStep | null;
  /** Whether its last use was recorded more than a minute ago, or was never recorded. */
  readonly isStale: boolean;
}

// The hashes are JSON: with an array, PostgreSQL would plan the statement anew for each call, because it knows the
// number of its elements only then. The limit lets it look up one key at a time, however many it expects.
const find = statement<{ readonly hash: string; readonly key: UsableKey }>(`
  select wanted.hash, to_json(usable) as key
  from json_array_elements_text($1) wanted (hash) cross join lateral (
    select ${selectList(ApiKey, 'key', ofKey)}, ${selectList(Organization, 'organization', ofOrganization)},
      ${selectList(User, 'creator', ['role'])}, creator.id as "userId",
      (select step from organization_moves where organization_id = key.organization_id) as move,
      key.last_used_at is null or key.last_used_at < now() - interval '1 minute' as "isStale"
    from api_keys key
    join organizations organization on organization.id = key.organization_id
    join users creator on creator.organization_id = key.organization_id and creator.id = key.created_by_user_id
      and creator.status = 'ACTIVE'
    where key.key_hash = decode(wanted.hash, 'hex') and key.revoked_at is null
      and (key.expires_at is null or key.expires_at > now())
    limit 1) usable`);

/**
 * The usable keys among those with these SHA-256 in hex, by it. Omits keys that are revoked, expired by the database's
 * clock, or whose creator is deactivated.
 */
export async function findApiKeys(em: Em, hashes: readonly string[]): Promise<ReadonlyMap<string, UsableKey>> {
  return new Map((await find(em, JSON.stringify(hashes))).map(({ hash, key }) => [hash, key]));
}

/** Records that a key was used, at most once a minute. */
export async function touchApiKey(em: Em, key: Pick<UsableKey, 'organizationId' | 'id'>): Promise<void> {
  await em
    .getKysely()
    .updateTable('api_keys')
    .set({ last_used_at: databaseNow })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .where((eb) =>
      eb('last_used_at', 'is', null).or('last_used_at', '<', sql<string>`${databaseNow} - interval '1 minute'`),
    )
    .execute();
}
