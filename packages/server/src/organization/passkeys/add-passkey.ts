import { passkeyMinutes, passkeysPerMember, type Body, type Contract, type Response } from '@runward/contract';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest, forbidden } from '../../api-error.ts';
import { recordChange } from '../../audit-log/record-change.ts';
import { violates } from '../../database/errors.ts';
import { lockRow } from '../../database/lock-row.ts';
import { newId } from '../../ids.ts';
import { userTarget } from '../audited.ts';
import { Passkey } from '../entities/passkey.ts';
import { Session } from '../entities/session.ts';
import { SpentToken } from '../entities/spent-token.ts';
import { User } from '../entities/user.ts';
import { alreadyUsed, challengeMs, issueChallenge, readChallenge } from './challenge.ts';
import { isFramed, relyingParty, serviceName, userHandleOf } from './relying-party.ts';

type Added = Body<Contract['auth']['addPasskey']>;

/** EdDSA, ES256 and RS256: what every browser and authenticator knows. */
const algorithms = [-8, -7, -257];

/**
 * What the browser of the caller needs to create a passkey. Throws a 403 if they signed in too long ago, or a 400 if
 * they have as many as possible.
 */
export async function beginPasskey(
  context: Pick<RequestContext, 'em' | 'now' | 'actor' | 'ports'>,
): Promise<Response<Contract['auth']['beginPasskey']>> {
  const { em, actor, now, ports } = context;
  const { organizationId, userId } = actor;
  const sessionId = actor.sessionId ?? '';
  const session = await em.findOneOrFail(Session, { organizationId, id: sessionId, userId });
  // A stranger at an unlocked computer must not get a way in that outlasts the session.
  if (now.getTime() - session.createdAt.getTime() > passkeyMinutes * 60_000) throw tooLongAgo();
  const user = await em.findOneOrFail(User, { organizationId, id: userId });
  const known = await em.find(Passkey, { organizationId, userId });
  ensureRoom(known.length);
  const { token, challenge, expiresAt } = await issueChallenge(context, { sessionId });
  const options = {
    challenge,
    rp: { id: relyingParty(ports).id, name: serviceName },
    user: { id: userHandleOf(userId), name: user.email, displayName: user.name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: challengeMs,
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      type: 'public-key' as const,
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  };
  return { token, expiresAt: expiresAt.toISOString(), options };
}

/**
 * Adds the passkey that the caller's authenticator has created. Throws a 400 if it was not created for this challenge
 * and service, is known already, or is one too many. The caller must commit.
 */
export async function addPasskey(
  context: Pick<RequestContext, 'em' | 'now' | 'actor' | 'ports' | 'browser'>,
  { token, name, credential }: Added,
): Promise<Passkey> {
  const { em, actor, now } = context;
  const { organizationId, userId } = actor;
  const { challenge, tokenHash, expiresAt } = await readChallenge(context, token, { sessionId: actor.sessionId ?? '' });
  const { id: credentialId, publicKey, counter } = await verify(context, challenge, credential);
  // Two requests of a member wait for each other, so that together they do not add too many.
  await lockRow(em, User, { organizationId, id: userId }, 'no key update');
  ensureRoom(await em.count(Passkey, { organizationId, userId }));
  em.create(SpentToken, { organizationId, tokenHash, expiresAt });
  const passkey = em.create(Passkey, {
    organizationId,
    id: newId(),
    userId,
    credentialId,
    publicKey: Buffer.from(publicKey),
    counter,
    transports: credential.transports ?? [],
    name,
    createdAt: now,
    lastUsedAt: null,
  });
  try {
    await em.flush();
  } catch (error) {
    if (violates(error, 'spent_tokens_hash_key') || violates(error, 'spent_tokens_pkey')) throw alreadyUsed();
    if (violates(error, 'passkeys_credential_key'))
      throw badRequest('already_exists', ['credential.id: is a passkey already']);
    throw error;
  }
  const { email } = await em.findOneOrFail(User, { organizationId, id: userId });
  const target = userTarget({ id: userId, email });
  await recordChange(context, { action: 'user.passkey_added', target, after: { passkeyId: passkey.id, name } });
  return passkey;
}

const tooLongAgo = () =>
  forbidden(
    'recent_sign_in_required',
    `You signed in more than ${passkeyMinutes} minutes ago; sign in again, then add the passkey.`,
  );

function ensureRoom(count: number): void {
  if (count >= passkeysPerMember) {
    throw badRequest('limit_reached', `You have ${passkeysPerMember} passkeys, the most possible; remove one first.`);
  }
}

async function verify(
  { ports }: Pick<RequestContext, 'ports'>,
  expectedChallenge: string,
  { id, clientDataJSON, attestationObject }: Added['credential'],
) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ports);
  const response = {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject },
  } as const;
  const expected = { expectedChallenge, expectedOrigin, expectedRPID, supportedAlgorithmIDs: algorithms };
  // Hundreds of modules, which only passkeys need.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  // The library throws for whatever it does not accept.
  const { registrationInfo } = await verifyRegistrationResponse({ response, ...expected }).catch(() => ({
    registrationInfo: undefined,
  }));
  if (registrationInfo?.credential.id !== id || isFramed(clientDataJSON)) {
    throw badRequest(['credential: was not created for this token and service with user verification; begin again']);
  }
  return registrationInfo.credential;
}
