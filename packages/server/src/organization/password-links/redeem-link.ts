import { hashLinkToken } from '../../access/links/link-token.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { recordChange } from '../../audit-log/record-change.ts';
import { lockRow } from '../../database/lock-row.ts';
import { networkOf } from '../../limits/counter-key.ts';
import { userTarget } from '../audited.ts';
import { Session } from '../entities/session.ts';
import { User } from '../entities/user.ts';
import { findPasswordLink, takePasswordLink, type UsableLink } from '../queries/find-password-link.ts';
import { createSession, ensurePasswords, type SignedIn } from '../sign-in.ts';

/**
 * The link of a token. Null if the token is of no use, whatever the reason. Throws a 403 if passwords are switched off,
 * and a 429 after too many useless tokens.
 */
export async function findLink(
  { em, browser, ports }: Pick<RequestContext, 'em' | 'browser' | 'ports'>,
  token: string,
): Promise<UsableLink | null> {
  ensurePasswords(ports);
  const tokenHash = hashLinkToken(token);
  return ports.passwordLinkThrottle.find(networkOf(browser.address), () => findPasswordLink(em, tokenHash));
}

/**
 * Sets the password of the member that a link was made for, ends all their sessions, and starts one, which is stored in
 * the browser. Throws a 400 if the token is of no use, a 403 if passwords are switched off, or a 429. Must not be
 * called in a transaction.
 */
export async function redeemLink(
  context: Pick<RequestContext, 'em' | 'inTransaction' | 'now' | 'browser' | 'ports'>,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<SignedIn> {
  const { browser, ports } = context;
  const link = await findLink(context, token);
  if (!link) throw unusable();
  const { organizationId, userId } = link;
  const passwordHash = await ports.passwords.hash(password);
  const { tokens, session } = await context.inTransaction(async (em) => {
    const active = { organizationId, id: userId, status: 'ACTIVE' } as const;
    // The member is locked first wherever they and their link change, so that nothing waits in a circle.
    if (!(await lockRow(em, User, active, 'no key update'))) throw unusable();
    if (!(await takePasswordLink(em, link, hashLinkToken(token)))) throw unusable();
    await em.nativeUpdate(User, { organizationId, id: userId }, { passwordHash });
    await em.nativeDelete(Session, { organizationId, userId });
    const actor = { organizationId, type: 'USER', userId, apiKeyId: null } as const;
    const target = userTarget({ id: userId, email: link.email });
    const after = { purpose: link.purpose };
    await recordChange({ ...context, em, actor }, { action: 'user.password_set', target, after });
    return createSession(em, context, { organizationId, id: userId, passwordHash });
  });
  browser.keepSession(tokens);
  return { session, csrfToken: tokens.csrfToken };
}

const unusable = () =>
  badRequest('link_invalid', [
    'token: unknown, or its link was used, replaced or revoked, or has expired; ask for a new link',
  ]);
