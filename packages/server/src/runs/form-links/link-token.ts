import { hash, randomBytes } from 'node:crypto';
import { base62 } from '../../base62.ts';
import type { FormLink } from '../entities/form-link.ts';

/** Where people fill in a form with a link; the token is behind it. */
export const formLinkPath = '/sign-in/form';

const prefix = 'formlink_';

/** A new token of a link, 32 random bytes in base62, and what is stored of the token. */
export function newFormLinkToken(): Pick<FormLink, 'tokenHash'> & { token: string } {
  const token = `${prefix}${base62(randomBytes(32), 43)}`;
  return { token, tokenHash: hashFormLinkToken(token) };
}

/** The SHA-256 that is stored for a token. A token has 256 random bits, so an unsalted digest cannot be reversed. */
export function hashFormLinkToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
