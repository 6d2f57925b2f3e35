import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';

/** A form link that can be used now. */
export interface UsableFormLink {
  readonly organizationId: string;
  readonly id: string;
  readonly userId: string;
  readonly runTaskId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly email: string;
  readonly requireCode: boolean;
  /** Whether a code was sent that has not been used and has not expired. */
  readonly awaitsCode: boolean;
}

/**
 * The link of any organization with this SHA-256 of its token. Null if it was revoked, has expired by the database's
 * clock, or if the task is not assigned to its guest any more.
 */
export async function findFormLink(em: Em, tokenHash: Buffer): Promise<UsableFormLink | null> {
  const link = await em
    .getKysely()
    .selectFrom('form_links as link')
    .innerJoin('users as member', (join) =>
      join
        .onRef('member.organization_id', '=', 'link.organization_id')
        .onRef('member.id', '=', 'link.user_id')
        .on('member.status', '=', 'ACTIVE')
        .on('member.role', '=', 'GUEST'),
    )
    .innerJoin('run_tasks as task', (join) =>
      join
        .onRef('task.organization_id', '=', 'link.organization_id')
        .onRef('task.id', '=', 'link.run_task_id')
        .onRef('task.assignee_id', '=', 'link.user_id')
        .on('task.removed_at', 'is', null),
    )
    .innerJoin('organizations as organization', 'organization.id', 'link.organization_id')
    .where('link.token_hash', '=', tokenHash)
    .where('link.revoked_at', 'is', null)
    .where('link.expires_at', '>', databaseNow)
    .select([
      'link.organization_id as organizationId',
      'link.id',
      'link.user_id as userId',
      'link.run_task_id as runTaskId',
      'organization.name as organizationName',
      'member.name',
      'member.email',
      'link.require_code as requireCode',
      sql<boolean>`(link.code_hash is not null and link.code_expires_at > now())`.as('awaitsCode'),
    ])
    .executeTakeFirst();
  return link ?? null;
}
