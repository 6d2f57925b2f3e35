import { sql } from 'kysely';
import { memberAccess, type MemberAccess } from '../../access/queries/member-access.ts';
import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';
import type { MoveStep } from '../entities/organization-move.ts';
import type { Organization } from '../entities/organization.ts';
import type { Session } from '../entities/session.ts';
import type { User } from '../entities/user.ts';
import { idleHours } from '../session-token.ts';

/** A session that is usable now, with what the guard must know about its member and organization. */
export interface UsableSession
  extends
    Pick<Session, 'organizationId' | 'id' | 'csrfToken' | 'userId'>,
    Pick<User, 'role' | 'name'>,
    MemberAccess,
    Pick<Organization, 'plan' | 'timeZone'> {
  /** How far the move of its organization to another cell is; null if there is none. */
  readonly move: MoveStep | null;
  /** Whether it was last seen more than a minute ago. */
  readonly isStale: boolean;
  /** The only task of a session that a form link began, else null. */
  readonly runTaskId: string | null;
}

const aMinuteAgo = sql<string>`${databaseNow} - interval '1 minute'`;
const longestIdle = sql<string>`${databaseNow} - interval '1 hour' * ${sql.lit(idleHours)}`;

/**
 * The session with this SHA-256. Null if, by the database's clock, it has expired or was idle for `idleHours`, or if
 * its member is deactivated. A session that a form link began ends with the link, and when its guest gets another role.
 */
export async function findSession(em: Em, tokenHash: Buffer): Promise<UsableSession | null> {
  const session = await em
    .getKysely()
    .selectFrom('sessions as session')
    .innerJoin('users as member', (join) =>
      join
        .onRef('member.organization_id', '=', 'session.organization_id')
        .onRef('member.id', '=', 'session.user_id')
        .on('member.status', '=', 'ACTIVE'),
    )
    .innerJoin('organizations as organization', 'organization.id', 'session.organization_id')
    .leftJoin('organization_moves as moving', 'moving.organization_id', 'session.organization_id')
    .leftJoin('form_links as link', (join) =>
      join.onRef('link.organization_id', '=', 'session.organization_id').onRef('link.id', '=', 'session.form_link_id'),
    )
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', databaseNow)
    .where('session.last_seen_at', '>', longestIdle)
    .where(({ eb, and, or }) =>
      or([
        eb('session.form_link_id', 'is', null),
        and([
          eb('link.revoked_at', 'is', null),
          eb('link.expires_at', '>', databaseNow),
          eb('member.role', '=', 'GUEST'),
        ]),
      ]),
    )
    .select(({ eb }) => [
      'session.organization_id as organizationId',
      'session.id',
      'session.csrf_token as csrfToken',
      'session.user_id as userId',
      'member.role',
      'member.name',
      ...memberAccess,
      'link.run_task_id as runTaskId',
      'moving.step as move',
      'organization.plan',
      'organization.time_zone as timeZone',
      eb('session.last_seen_at', '<', aMinuteAgo).$castTo<boolean>().as('isStale'),
    ])
    .executeTakeFirst();
  return session ?? null;
}

/** Records that a session was used, at most once a minute, so that it does not become idle. */
export async function touchSession(em: Em, session: Pick<UsableSession, 'organizationId' | 'id'>): Promise<void> {
  await em
    .getKysely()
    .updateTable('sessions')
    .set({ last_seen_at: databaseNow })
    .where('organization_id', '=', session.organizationId)
    .where('id', '=', session.id)
    .where('last_seen_at', '<', aMinuteAgo)
    .execute();
}
