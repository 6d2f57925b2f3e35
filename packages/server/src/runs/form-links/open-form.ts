import { hashLinkToken } from '../../access/links/link-token.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { networkOf } from '../../limits/counter-key.ts';
import { User } from '../../organization/entities/user.ts';
import { createSession } from '../../organization/sign-in.ts';
import { FormLink } from '../entities/form-link.ts';
import { findFormLink, type UsableFormLink } from '../queries/find-form-link.ts';

type Context = Pick<RequestContext, 'em' | 'inTransaction' | 'now' | 'browser' | 'ports'>;

/**
 * The form link of a token. Null if the token is of no use, whatever the reason. Throws a 429 after too many useless
 * tokens.
 */
export async function findUsableLink(
  { em, browser, ports }: Pick<Context, 'em' | 'browser' | 'ports'>,
  token: string,
): Promise<UsableFormLink | null> {
  const tokenHash = hashLinkToken(token);
  return ports.formLinkThrottle.find(networkOf(browser.address), () => findFormLink(em, tokenHash));
}

/**
 * Starts a session of the guest that can do nothing but the task of the link, and is stored in the browser. Throws a 400
 * if the guest was changed meanwhile. Must not be called in a transaction.
 */
export async function openForm(context: Context, { organizationId, id, userId }: UsableFormLink): Promise<void> {
  const { browser, now } = context;
  const { tokens } = await context.inTransaction(async (em) => {
    const guest = await em.findOne(User, { organizationId, id: userId, role: 'GUEST' });
    if (!guest) throw badRequest('The link does not work any more; ask for a new one.');
    await em.nativeUpdate(FormLink, { organizationId, id }, { lastUsedAt: now });
    return createSession(em, context, guest, { issuer: null, providerSessionId: null, formLinkId: id });
  });
  browser.keepSession(tokens);
}
