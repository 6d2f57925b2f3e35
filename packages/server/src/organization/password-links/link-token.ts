import { hash, randomBytes } from 'node:crypto';
import { base62 } from '../../base62.ts';
import type { PasswordLink } from '../entities/password-link.ts';

/** Where members set their password with a link; the token is behind it. */
export const passwordLinkPath = '/sign-in/password';

/** How long a link works. */
export const linkHours = 72;

const prefix = 'pwlink_';

/** A new token of a link, 32 random bytes in base62, and what is stored of the token. */
export function newLinkToken(): Pick<PasswordLink, 'tokenHash'> & { token: string } {
  const token = `${prefix}${base62(randomBytes(32), 43)}`;
  return { token, tokenHash: hashLinkToken(token) };
}

/** The SHA-256 that is stored for a token. A token has 256 random bits, so an unsalted digest cannot be reversed. */
export function hashLinkToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
