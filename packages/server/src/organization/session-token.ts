import type { SessionTokens } from '../access/browser.ts';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a session lasts at most, however busy it is. */
export const sessionDays = 7;

/** New tokens: 32 random bytes each. */
export function newSessionTokens(): SessionTokens {
  return { token: randomBytes(32).toString('base64url'), csrfToken: randomBytes(32).toString('base64url') };
}

/** What is stored of a session's token. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whether two tokens are the same, in a time that does not tell where they differ. */
export function isSameToken(one: string, other: string): boolean {
  return timingSafeEqual(hashSessionToken(one), hashSessionToken(other));
}
