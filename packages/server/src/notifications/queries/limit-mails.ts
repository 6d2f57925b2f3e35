import type { Limits } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import type { Mail } from '../entities/mail.ts';

const free = statement<{ member: Date | null; organization: Date | null }>(`
  select
    (select (scheduled_at + interval '24 hours')::text from mails where organization_id = $1 and user_id = $2
      order by scheduled_at desc offset $3::bigint - 1 limit 1) as member,
    (select (scheduled_at + interval '24 hours')::text from mails where organization_id = $1
      order by scheduled_at desc offset $4::bigint - 1 limit 1) as organization`);

/**
 * When a new mail to a member may be sent, so that no 24 hours contain more mails than the limits permit, and the limit
 * that it waits for. Must run while the cursor of the organization is locked.
 */
export async function scheduleMail(
  em: Em,
  { organizationId, userId }: Pick<Mail, 'organizationId' | 'userId'>,
  { mailsPerMember, mailsPerOrganization }: Limits,
  now: Date,
): Promise<Pick<Mail, 'scheduledAt' | 'heldBy'>> {
  const [found] = await free(em, organizationId, userId, mailsPerMember, mailsPerOrganization);
  const member = new Date(found?.member ?? now);
  const organization = new Date(found?.organization ?? now);
  if (member <= now && organization <= now) return { scheduledAt: now, heldBy: null };
  return member > organization
    ? { scheduledAt: member, heldBy: 'MEMBER_LIMIT' }
    : { scheduledAt: organization, heldBy: 'ORGANIZATION_LIMIT' };
}
