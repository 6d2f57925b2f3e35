import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';
import type { Organization } from '../entities/organization.ts';
import type { PasswordLink } from '../entities/password-link.ts';
import type { User } from '../entities/user.ts';

/** A link that can be used now, with the names of its member and organization. */
export interface UsableLink
  extends Pick<PasswordLink, 'organizationId' | 'userId' | 'purpose'>, Pick<User, 'name' | 'email'> {
  readonly organizationName: Organization['name'];
}

/**
 * The link of any organization with this SHA-256 of its token. Null if it has expired by the database's clock, or if
 * its member is deactivated. A link that was used, replaced or revoked no longer has a row.
 */
export async function findPasswordLink(em: Em, tokenHash: Buffer): Promise<UsableLink | null> {
  const link = await em
    .getKysely()
    .selectFrom('password_links as link')
    .innerJoin('users as member', (join) =>
      join
        .onRef('member.organization_id', '=', 'link.organization_id')
        .onRef('member.id', '=', 'link.user_id')
        .on('member.status', '=', 'ACTIVE'),
    )
    .innerJoin('organizations as organization', 'organization.id', 'link.organization_id')
    .where('link.token_hash', '=', tokenHash)
    .where('link.expires_at', '>', databaseNow)
    .select([
      'link.organization_id as organizationId',
      'link.user_id as userId',
      'link.purpose',
      'member.name',
      'member.email',
      'organization.name as organizationName',
    ])
    .executeTakeFirst();
  return link ?? null;
}

/** Takes a link, so that nobody else can use it. Returns false if someone has, or if it was replaced or has expired. */
export async function takePasswordLink(
  em: Em,
  { organizationId, userId }: Pick<PasswordLink, 'organizationId' | 'userId'>,
  tokenHash: Buffer,
): Promise<boolean> {
  const { numDeletedRows } = await em
    .getKysely()
    .deleteFrom('password_links')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', databaseNow)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
