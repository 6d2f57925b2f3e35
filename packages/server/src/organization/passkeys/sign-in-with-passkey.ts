import type { Body, Contract, Response } from '@runward/contract';
import type { RequestContext } from '../../access/request-context.ts';
import { unauthorized } from '../../api-error.ts';
import type { Em } from '../../database/database.ts';
import { violates } from '../../database/errors.ts';
import { lockRow } from '../../database/lock-row.ts';
import { Passkey } from '../entities/passkey.ts';
import { SpentToken } from '../entities/spent-token.ts';
import { User } from '../entities/user.ts';
import { recordRejection } from '../record-rejection.ts';
import { createSession, type SignedIn } from '../sign-in.ts';
import { alreadyUsed, challengeMs, issueChallenge, readChallenge, type Challenge } from './challenge.ts';
import { isFramed, relyingParty, userHandleOf } from './relying-party.ts';

type Credential = Body<Contract['auth']['signInWithPasskey']>['credential'];

/** What a browser needs to ask an authenticator for a passkey of this service. */
export async function beginPasskeySignIn(
  context: Pick<RequestContext, 'em' | 'now' | 'ports'>,
): Promise<Response<Contract['auth']['beginPasskeySignIn']>> {
  const { token, challenge, expiresAt } = await issueChallenge(context, 'sign-in');
  const rpId = relyingParty(context.ports).id;
  const options = { challenge, rpId, timeout: challengeMs, userVerification: 'required' as const };
  return { token, expiresAt: expiresAt.toISOString(), options };
}

/**
 * Starts a session of the member who has signed a challenge with a passkey, which is stored in the browser. Throws a
 * 400 if the token is of no use, a 401 for whatever else does not sign in, or a 429. Must not be called in a
 * transaction.
 */
export async function signInWithPasskey(
  context: Pick<RequestContext, 'em' | 'inTransaction' | 'now' | 'browser' | 'ports' | 'afterRollback'>,
  { token, credential }: Body<Contract['auth']['signInWithPasskey']>,
): Promise<SignedIn> {
  const { em, browser, ports } = context;
  const challenge = await readChallenge(context, token, 'sign-in');
  const succeed = await ports.signInThrottle.attempt(browser.address, credential.id);
  const passkey = await em.findOne(Passkey, { credentialId: credential.id });
  if (!passkey) throw notAccepted();
  const { organizationId, userId } = passkey;
  const user = await em.findOneOrFail(User, { organizationId, id: userId });
  const counter = await verify(context, challenge, credential, passkey);
  if (counter === null || user.status !== 'ACTIVE') {
    recordRejection(context, user);
    throw notAccepted();
  }
  await succeed();
  const { tokens, session } = await context
    .inTransaction((own) => startAs(own, context, { challenge, passkey, user, counter }))
    .catch((error: unknown) => {
      if (violates(error, 'spent_tokens_hash_key') || violates(error, 'spent_tokens_pkey')) throw alreadyUsed();
      throw error;
    });
  browser.keepSession(tokens);
  return { session, csrfToken: tokens.csrfToken };
}

interface Verified {
  readonly challenge: Challenge;
  readonly passkey: Passkey;
  readonly user: User;
  readonly counter: number;
}

async function startAs(
  em: Em,
  context: Pick<RequestContext, 'now' | 'browser'>,
  { challenge: { tokenHash, expiresAt }, passkey, user, counter }: Verified,
) {
  const { organizationId, id } = passkey;
  em.create(SpentToken, { organizationId, tokenHash, expiresAt });
  await em.flush();
  // Another request may have used or removed the passkey since it was verified.
  const verified = { organizationId, id, counter: passkey.counter };
  if (!(await lockRow(em, Passkey, verified, 'no key update'))) throw notAccepted();
  await em.nativeUpdate(Passkey, { organizationId, id }, { counter, lastUsedAt: context.now });
  return createSession(em, context, user);
}

/** The counter of the authenticator; null if it has not signed this challenge for this service with this passkey. */
async function verify(
  { ports }: Pick<RequestContext, 'ports'>,
  { challenge: expectedChallenge }: Challenge,
  { id, clientDataJSON, authenticatorData, signature, userHandle }: Credential,
  { userId, credentialId, publicKey, counter }: Passkey,
): Promise<number | null> {
  if (userHandle !== userHandleOf(userId)) return null;
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ports);
  const response = {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  } as const;
  const credential = { id: credentialId, publicKey: new Uint8Array(publicKey), counter };
  const expected = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: true };
  // Hundreds of modules, which only passkeys need.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  // The library throws for whatever it does not accept, also for a counter that went back.
  return verifyAuthenticationResponse({ response, credential, ...expected }).then(
    ({ verified, authenticationInfo }) =>
      verified && !isFramed(clientDataJSON) ? authenticationInfo.newCounter : null,
    () => null,
  );
}

const notAccepted = () =>
  unauthorized('invalid_credentials', 'The passkey was not accepted; try another one, or sign in in another way.');
