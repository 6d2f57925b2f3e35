import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import type { Em } from '../../database/database.ts';
import { violates } from '../../database/errors.ts';
import { SpentToken } from '../entities/spent-token.ts';
import { attemptSeconds } from '../session-token.ts';
import { createSession } from '../sign-in.ts';
import { spentHash } from './attempt.ts';
import { findMember, type ProviderAccount } from './find-member.ts';
import { followGroups } from './follow-groups.ts';

/**
 * Starts a session of the member whom a provider has signed in, which is stored in the browser. `state` is that of the
 * attempt, which succeeds once. Throws a 400 if it has, and a 403 if nobody may sign in. Must not be called in a
 * transaction.
 */
export async function signInWithProvider(
  context: Pick<RequestContext, 'inTransaction' | 'now' | 'browser' | 'ports'>,
  account: ProviderAccount,
  state: string,
): Promise<void> {
  const begin = () => context.inTransaction((em) => startAs(em, context, account, state));
  try {
    context.browser.keepSession(await begin().catch((error: unknown) => again(error, begin)));
  } catch (error) {
    if (violates(error, 'spent_tokens_hash_key') || violates(error, 'spent_tokens_pkey')) throw alreadyUsed();
    throw error;
  }
}

/** Tries again if another request has linked the account or added the member meanwhile. */
async function again<Result>(error: unknown, begin: () => Promise<Result>): Promise<Result> {
  if (violates(error, 'identities_subject_key') || violates(error, 'users_email_key')) return begin();
  throw error;
}

async function startAs(
  em: Em,
  { now, browser }: Pick<RequestContext, 'now' | 'browser'>,
  account: ProviderAccount,
  state: string,
) {
  const { settings, claims } = account;
  const { identity, user } = await findMember({ em, now, browser }, account);
  const { organizationId } = user;
  const expiresAt = new Date(now.getTime() + attemptSeconds * 1_000);
  em.create(SpentToken, { organizationId, tokenHash: spentHash(state), expiresAt });
  if (claims.groups) await followGroups(em, identity, claims.groups);
  identity.lastUsedAt = now;
  await em.flush();
  const origin = { issuer: settings.issuer, providerSessionId: claims.sessionId };
  const { tokens } = await createSession(em, { now, browser }, user, origin);
  return tokens;
}

const alreadyUsed = () => badRequest('link_invalid', 'This sign-in was already completed.');
