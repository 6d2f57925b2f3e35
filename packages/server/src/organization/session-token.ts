import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SessionTokens } from '../access/browser.ts';

/** Maximum lifetime of a session, regardless of activity. */
export const sessionDays = 7;

/** How long a session lasts without a request. */
export const idleHours = 8;

/** How long a sign-in with a provider may take. */
export const attemptSeconds = 600;

/** New tokens: 32 random bytes each. */
export function newSessionTokens(): SessionTokens {
  return { token: randomBytes(32).toString('base64url'), csrfToken: randomBytes(32).toString('base64url') };
}

/** The SHA-256 that is stored for a session token. */
export function hashSessionToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares two tokens in constant time. */
export function isSameToken(one: string, other: string): boolean {
  return timingSafeEqual(hashSessionToken(one), hashSessionToken(other));
}
