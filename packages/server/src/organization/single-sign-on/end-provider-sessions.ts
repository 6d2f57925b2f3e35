import type { RequestContext } from '../../access/request-context.ts';
import type { LogoutToken } from '../../adapters/openid/logout-token.ts';
import { badRequest } from '../../api-error.ts';
import { violates } from '../../database/errors.ts';
import { Identity } from '../entities/identity.ts';
import { Session } from '../entities/session.ts';
import { SpentToken } from '../entities/spent-token.ts';
import { beginWriting } from '../moves/ensure-served.ts';
import { spentHash } from './attempt.ts';

/** Longer than a logout token can be used, with the tolerance for clocks. */
const keptMs = 1_800_000;

/**
 * Ends the sessions that a provider has ended: those of one session at the provider, or else all that the person began
 * with it. Throws a 400 for a token that was used before. A token that concerns nobody changes nothing.
 */
export async function endProviderSessions(
  { em, inTransaction, now }: Pick<RequestContext, 'em' | 'inTransaction' | 'now'>,
  issuer: string,
  { id, subject, sessionId }: LogoutToken,
): Promise<void> {
  const tokenHash = spentHash(issuer, id);
  if ((await em.count(SpentToken, { tokenHash })) > 0) throw alreadyUsed();
  const ended =
    sessionId === null ? await ofSubject(em, issuer, subject ?? '') : await ofSession(em, issuer, sessionId);
  if (ended.length === 0) return;
  try {
    await inTransaction(async (own) => {
      const [{ organizationId } = { organizationId: '' }] = ended;
      for (const each of ended) await beginWriting(own, each.organizationId);
      own.create(SpentToken, { organizationId, tokenHash, expiresAt: new Date(now.getTime() + keptMs) });
      await own.flush();
      for (const { organizationId: ofOrganization, ...sessions } of ended) {
        await own.nativeDelete(Session, { organizationId: ofOrganization, issuer, ...sessions });
      }
    });
  } catch (error) {
    if (violates(error, 'spent_tokens_hash_key') || violates(error, 'spent_tokens_pkey')) throw alreadyUsed();
    throw error;
  }
}

const alreadyUsed = () => badRequest('validation_failed', 'logout_token: was already used; send a new one');

/** Which sessions of an organization end. */
type Ended = { readonly organizationId: string } & (
  | { readonly userId: string }
  | { readonly providerSessionId: string }
);

async function ofSession(em: RequestContext['em'], issuer: string, providerSessionId: string): Promise<Ended[]> {
  const sessions = await em.find(Session, { issuer, providerSessionId }, { fields: ['organizationId'] });
  const organizations = new Set(sessions.map(({ organizationId }) => organizationId));
  return [...organizations].map((organizationId) => ({ organizationId, providerSessionId }));
}

async function ofSubject(em: RequestContext['em'], issuer: string, subject: string): Promise<Ended[]> {
  const identity = await em.findOne(Identity, { issuer, subject });
  return identity ? [{ organizationId: identity.organizationId, userId: identity.userId }] : [];
}
