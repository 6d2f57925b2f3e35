import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Proofs } from '../../adapters/openid/identity-provider.ts';
import { attemptSeconds } from '../session-token.ts';

/** A sign-in with a provider that a browser has begun. */
export interface Attempt {
  /** The slug of the provider. */
  readonly provider: string;
  /** Where the member wants to go. */
  readonly next: string;
  readonly startedAt: Date;
}

/**
 * A new attempt, as the browser stores it. It contains 32 random bytes. State, nonce and PKCE verifier are computed
 * from all of it, so that one that was changed, or is of another browser, fits to no response of a provider.
 */
export function newAttempt({ provider, next, startedAt }: Attempt): string {
  const secret = randomBytes(32).toString('base64url');
  return Buffer.from(JSON.stringify([provider, next, startedAt.getTime(), secret])).toString('base64url');
}

/** Reads an attempt of a browser. Null if it is none, or too old. */
export function readAttempt(text: string, now: Date): Attempt | null {
  try {
    const [provider, next, startedAt, secret] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    if (typeof provider !== 'string' || typeof next !== 'string' || typeof startedAt !== 'number') return null;
    const age = now.getTime() - startedAt;
    const isUsable = typeof secret === 'string' && secret.length >= 43 && age >= 0 && age < attemptSeconds * 1_000;
    return isUsable ? { provider, next, startedAt: new Date(startedAt) } : null;
  } catch {
    return null;
  }
}

/** What the provider must return, and what it must be shown, for an attempt as the browser stores it. */
export function proofsOf(attempt: string): Proofs {
  const derive = (purpose: string) => createHmac('sha256', attempt).update(purpose).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('code_verifier') };
}

/** What is stored of something that may be used once. */
export function spentHash(...parts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer');
}
