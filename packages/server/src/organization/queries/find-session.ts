import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import type { Plan } from '../entities/organization.ts';

/** A session that may be used right now, with what the guard needs of its member and organization. */
export interface UsableSession {
  readonly id: string;
  readonly csrfToken: string;
  readonly userId: string;
  readonly role: Actor['role'];
  readonly organizationId: string;
  readonly plan: Plan;
  readonly timeZone: string;
  /** Whether it was last seen more than a minute ago. */
  readonly isStale: boolean;
}

/** The session with this SHA-256 unless it is over, was idle for 8 h, or its member is deactivated; by the database's clock. */
export async function findSession(em: Em, tokenHash: Buffer): Promise<UsableSession | null> {
  const { rows } = await sql<UsableSession>`
    select session.id, session.csrf_token as "csrfToken", member.id as "userId", member.role,
      organization.id as "organizationId", organization.plan, organization.time_zone as "timeZone",
      session.last_seen_at < now() - interval '1 minute' as "isStale"
    from sessions session
    join users member
      on member.organization_id = session.organization_id and member.id = session.user_id and member.status = 'ACTIVE'
    join organizations organization on organization.id = session.organization_id
    where session.token_hash = ${tokenHash} and session.expires_at > now()
      and session.last_seen_at > now() - interval '8 hours'
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Keeps a session from falling idle; at most once a minute. */
export async function touchSession(
  em: Em,
  { organizationId, id }: Pick<UsableSession, 'organizationId' | 'id'>,
): Promise<void> {
  await sql`
    update sessions set last_seen_at = now()
    where organization_id = ${organizationId} and id = ${id} and last_seen_at < now() - interval '1 minute'
  `.execute(em.getKysely());
}
