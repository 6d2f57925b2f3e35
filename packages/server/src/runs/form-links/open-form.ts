import { hashLinkToken } from '../../access/links/link-token.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { networkOf } from '../../limits/counter-key.ts';
import { User } from '../../organization/entities/user.ts';
import { createSession } from '../../organization/sign-in.ts';
import { FormLink } from '../entities/form-link.ts';
import { findFormLink, type UsableFormLink } from '../queries/find-form-link.ts';
import { takeCode } from '../queries/form-link-codes.ts';
import { hashCode } from './send-code.ts';

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
 * Starts a session of the guest that can do nothing but the task of the link, and is stored in the browser. If the link
 * requires a code, it is used up. Returns false if the code is wrong, was used, or has expired. Throws a 400 if the
 * guest was changed meanwhile, and a 429 after too many wrong codes. Must not be called in a transaction.
 */
export async function openForm(
  context: Context,
  { organizationId, id, userId, requireCode }: UsableFormLink,
  { token, code }: { readonly token: string; readonly code: string },
): Promise<boolean> {
  const { browser, now, ports } = context;
  const succeed = requireCode ? await ports.signInThrottle.attempt(browser.address, id) : null;
  const started = await context.inTransaction(async (em) => {
    if (requireCode && !(await takeCode(em, { organizationId, id }, hashCode(token, code)))) return null;
    const guest = await em.findOne(User, { organizationId, id: userId, role: 'GUEST' });
    if (!guest) throw badRequest('link_invalid', 'The link does not work any more; ask for a new one.');
    await em.nativeUpdate(FormLink, { organizationId, id }, { lastUsedAt: now });
    return createSession(em, context, guest, { issuer: null, providerSessionId: null, formLinkId: id });
  });
  if (!started) return false;
  await succeed?.();
  browser.keepSession(started.tokens);
  return true;
}
