import { mailLink } from '../../access/links/link-mail.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { recordChange } from '../../audit-log/record-change.ts';
import { PasswordLink } from '../entities/password-link.ts';
import { User } from '../entities/user.ts';
import { beginWriting, ensureServed } from '../moves/ensure-served.ts';
import { linkCreated, mailOf, newLink, saveLink } from './create-link.ts';

/** A member who has just got a link is not mailed another one. */
const settledMs = 10 * 60_000;

/**
 * Mails a link to the active member with an email address, if there is one. No response may wait for it, because it
 * takes longer if there is. Throws an error if the mail was not accepted; the link before then still works.
 */
export async function requestReset(
  context: Pick<RequestContext, 'em' | 'inTransaction' | 'now' | 'browser' | 'ports'>,
  email: string,
): Promise<void> {
  const { em, now, ports } = context;
  const browser = { address: context.browser.address };
  const user = await em.findOne(User, { email, status: 'ACTIVE' });
  if (!user || !ports.smtp) return;
  const { organizationId, id: userId } = user;
  await ensureServed(em, organizationId);
  const since = new Date(now.getTime() - settledMs);
  if (await em.count(PasswordLink, { organizationId, userId, createdAt: { $gt: since } })) return;
  const link = newLink(user, ports.baseUrl, now);
  const { url, row } = link;
  const mailError = await mailLink(ports.smtp, await mailOf(em, user, { url, purpose: row.purpose }));
  if (mailError !== null) throw new Error(`The mail with a password link was not accepted: ${mailError}`);
  const actor = { organizationId, type: 'ANONYMOUS', userId: null, apiKeyId: null } as const;
  await context.inTransaction(async (own) => {
    await beginWriting(own, organizationId);
    await saveLink(own, link);
    await recordChange({ em: own, now, actor, browser }, linkCreated(user, link));
  });
}
