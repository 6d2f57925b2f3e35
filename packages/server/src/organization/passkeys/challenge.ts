import { hash, randomBytes } from 'node:crypto';
import type { RequestContext } from '../../access/request-context.ts';
import { signToken, verifyToken } from '../../adapters/signed-token.ts';
import { badRequest } from '../../api-error.ts';
import { findSignInKey } from '../queries/find-sign-in-key.ts';

/** What a challenge is for: signing in, or adding a passkey in the session with this id. */
export type ChallengePurpose = 'sign-in' | { readonly sessionId: string };

/** A challenge that was issued, as the authenticator signs it, and the hash with which it is spent. */
export interface Challenge {
  readonly challenge: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** How long a challenge can be used. */
export const challengeMs = 300_000;

/**
 * Issues a challenge. Its token is signed, so that nobody can choose a challenge, or prepare responses for one in
 * advance. The service stores nothing, so that strangers cause no rows.
 */
export async function issueChallenge(
  { em, now }: Pick<RequestContext, 'em' | 'now'>,
  purpose: ChallengePurpose,
): Promise<Challenge & { readonly token: string }> {
  const expiresAt = new Date(now.getTime() + challengeMs);
  // Without an organization there is nobody to sign in, and no token is accepted.
  const key = (await findSignInKey(em)) ?? randomBytes(32);
  const token = signToken(key, [nameOf(purpose), randomBytes(32).toString('base64url')], expiresAt);
  return { token, ...challengeOf(token, expiresAt) };
}

/** Reads the token of a challenge. Throws a 400 if it was not issued for this purpose, or has expired. */
export async function readChallenge(
  { em, now }: Pick<RequestContext, 'em' | 'now'>,
  token: string,
  purpose: ChallengePurpose,
): Promise<Challenge> {
  const key = await findSignInKey(em);
  const signed = key && verifyToken<readonly string[]>(key, token, now);
  if (signed?.content[0] !== nameOf(purpose)) {
    throw badRequest(['token: unknown, of another session, or older than 5 minutes; begin again']);
  }
  return challengeOf(token, signed.expiresAt);
}

/** What is said about a challenge that was used before. */
export const alreadyUsed = () => badRequest(['token: was already used; begin again']);

function nameOf(purpose: ChallengePurpose): string {
  return purpose === 'sign-in' ? purpose : `passkey of ${purpose.sessionId}`;
}

function challengeOf(token: string, expiresAt: Date): Challenge {
  const tokenHash = hash('sha256', token, 'buffer');
  return { challenge: tokenHash.toString('base64url'), tokenHash, expiresAt };
}
