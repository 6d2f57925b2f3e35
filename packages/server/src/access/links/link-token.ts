import { hash, randomBytes } from 'node:crypto';
import { base62 } from '../../base62.ts';

/** A new token of a link: a prefix and 32 random bytes in base62. Also returns what is stored of it. */
export function newLinkToken(prefix: string): { readonly token: string; readonly tokenHash: Buffer } {
  const token = `${prefix}${base62(randomBytes(32), 43)}`;
  return { token, tokenHash: hashLinkToken(token) };
}

/** The SHA-256 that is stored for a token. A token has 256 random bits, so an unsalted digest cannot be reversed. */
export function hashLinkToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
