import type { LinkMail } from '../../access/links/link-mail.ts';
import { newLinkToken } from '../../access/links/link-token.ts';
import { badRequest } from '../../api-error.ts';
import type { Change } from '../../audit-log/record-change.ts';
import type { Em } from '../../database/database.ts';
import { lockRow } from '../../database/lock-row.ts';
import { userTarget } from '../audited.ts';
import { Organization } from '../entities/organization.ts';
import { PasswordLink } from '../entities/password-link.ts';
import { User } from '../entities/user.ts';
import { passwordMail } from './link-mail.ts';
import { linkHours, linkPrefix, passwordLinkPath } from './link-token.ts';

/** A new link: its URL, which is not stored, and its row, which contains a hash. */
export interface NewLink {
  readonly url: string;
  readonly row: PasswordLink;
}

/** Makes a link for a member. It works once it is saved. `baseUrl` is where members reach this service. */
export function newLink({ organizationId, id, passwordHash }: User, baseUrl: string, now: Date): NewLink {
  const { token, tokenHash } = newLinkToken(linkPrefix);
  return {
    url: `${baseUrl}${passwordLinkPath}/${token}`,
    row: {
      organizationId,
      userId: id,
      purpose: passwordHash == null ? 'INVITATION' : 'RESET',
      tokenHash,
      createdAt: now,
      expiresAt: new Date(now.getTime() + linkHours * 3_600_000),
    },
  };
}

/** Saves a link in a transaction. The one before stops working. Throws a 400 if the member is deactivated. */
export async function saveLink(em: Em, { row }: NewLink): Promise<void> {
  const { organizationId, userId: id } = row;
  // A deactivation at the same time either comes first, or waits and then revokes the link.
  if (!(await lockRow(em, User, { organizationId, id, status: 'ACTIVE' }, 'share'))) throw deactivated();
  await em.upsert(PasswordLink, row);
}

/** What the mail with a link says to the member. */
export async function mailOf(
  em: Em,
  { organizationId, email: to, name }: User,
  { url, purpose }: Pick<NewLink, 'url'> & Pick<PasswordLink, 'purpose'>,
): Promise<LinkMail> {
  const { name: organizationName } = await em.findOneOrFail(Organization, { id: organizationId });
  return passwordMail({ to, name, organizationName, url, purpose });
}

/** What the audit log says about a new link. It does not contain the URL. */
export function linkCreated(user: User, { row: { purpose, expiresAt } }: NewLink): Change {
  const after = { purpose, expiresAt: expiresAt.toISOString() };
  return { action: 'user.password_link_created', target: userTarget(user), after };
}

const deactivated = () =>
  badRequest('member_deactivated', 'The member is deactivated and cannot sign in; reactivate them first.');
