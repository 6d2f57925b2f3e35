import type { Em } from '../../database/database.ts';
import { PasswordLink } from '../entities/password-link.ts';
import { Session } from '../entities/session.ts';

/** Ends all sessions of a member, and revokes their link to set a password. Returns how many sessions have ended. */
export async function endAccess(
  em: Em,
  { organizationId, userId }: Pick<PasswordLink, 'organizationId' | 'userId'>,
): Promise<number> {
  await em.nativeDelete(PasswordLink, { organizationId, userId });
  return em.nativeDelete(Session, { organizationId, userId });
}
