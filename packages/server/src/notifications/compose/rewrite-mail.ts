import type { Database } from '../../database/database.ts';
import { inTransaction } from '../../database/transaction.ts';
import { User } from '../../organization/entities/user.ts';
import { Mail } from '../entities/mail.ts';
import { Notification } from '../entities/notification.ts';
import type { ClaimedMail } from '../queries/claim-mail.ts';
import { contentOf } from './mail-content.ts';
import type { MailContent } from './write-mail.ts';

/**
 * What a claimed mail says when it is sent. One that waited for a limit, a mail server or an administrator is written
 * again, without what is over, what the member has no access to any more, and what they do not want any more. Null if
 * nothing is left.
 */
export async function rewriteMail(database: Database, mail: ClaimedMail, baseUrl: string): Promise<MailContent | null> {
  if (!mail.hasWaited) return mail;
  const { organizationId, id, userId, leaseToken } = mail;
  return inTransaction(database, async (em) => {
    const user = await em.findOneOrFail(User, { organizationId, id: userId });
    const told = await em.find(Notification, { organizationId, mailId: id }, { orderBy: { dueAt: 'asc' } });
    const content = await contentOf(em, user, told, { mailId: id, baseUrl });
    if (content) await em.nativeUpdate(Mail, { organizationId, id, leaseToken }, { ...content });
    return content;
  });
}
