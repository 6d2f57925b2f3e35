import { sql, type RawBuilder } from 'kysely';
import { selectList } from '../../database/columns.ts';
import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';
import { statement } from '../../database/statement.ts';
import { ApiKey } from '../entities/api-key.ts';
import { Organization } from '../entities/organization.ts';
import { User } from '../entities/user.ts';

const ofKey = ['id', 'organizationId', 'scopes', 'resourceMode', 'scopedTemplateIds', 'scopedFolderIds'] as const;
const ofOrganization = ['plan', 'timeZone'] as const;

/** A key that may be used now, with what the guard needs to know of its organization and of the member it acts as. */
export interface UsableKey
  extends
    Pick<ApiKey, (typeof ofKey)[number]>,
    Pick<Organization, (typeof ofOrganization)[number]>,
    Pick<User, 'role'> {
  readonly userId: string;
}

/**
 * SQL for the key with a SHA-256, as the JSON of a `UsableKey`; null if it is revoked, expired, or its creator is deactivated, by the clock
 * of the database. Equal texts say that nothing has changed that decides what the key may do.
 */
export function selectUsableKey(hash: string): string {
  return `(
    select to_json(usable)::text from (
      select ${selectList(ApiKey, 'key', ofKey)}, ${selectList(Organization, 'organization', ofOrganization)},
        ${selectList(User, 'creator', ['role'])}, creator.id as "userId"
      from api_keys key
      join organizations organization on organization.id = key.organization_id
      join users creator on creator.organization_id = key.organization_id and creator.id = key.created_by_user_id
        and creator.status = 'ACTIVE'
      where key.key_hash = ${hash} and key.revoked_at is null and (key.expires_at is null or key.expires_at > now())) usable)`;
}

const [beforeHash = '', afterHash = ''] = selectUsableKey('?').split('?');

/** The same for a select list of Kysely. */
export function usableKey(hash: Buffer | null): RawBuilder<string | null> {
  return sql`${sql.raw(beforeHash)}${hash}${sql.raw(afterHash)}`;
}

/** A usable key as the database has it. */
export interface FoundKey {
  /** What `selectUsableKey` returns. */
  readonly text: string;
  readonly key: UsableKey;
  /** Whether its last use was recorded more than a minute ago, or never. */
  readonly isStale: boolean;
  /** Milliseconds until it expires, or until a use has to be recorded again. */
  readonly freshMs: number;
}

const find = statement<Omit<FoundKey, 'key' | 'text'> & { readonly text: string | null }>(`
  select ${selectUsableKey('$1')} as text, "isStale",
    floor(extract(epoch from least(case when not "isStale" then last_used_at else now() end + interval '1 minute', expires_at) - now())
      * 1000)::int as "freshMs"
  from (
    select *, last_used_at is null or last_used_at < now() - interval '1 minute' as "isStale" from api_keys where key_hash = $1) key`);

/** The usable key with this SHA-256, or null. */
export async function findApiKey(em: Em, hash: Buffer): Promise<FoundKey | null> {
  const [row] = await find(em, hash);
  if (!row || row.text === null) return null;
  return { ...row, text: row.text, key: JSON.parse(row.text) as UsableKey };
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
