import { createHash, randomBytes } from 'node:crypto';
import { base62 } from '../../base62.ts';
import type { TemplateShare } from '../entities/template-share.ts';

const prefix = 'share_';

/** A new token of a share, 32 random bytes in base62, and what is stored of the token. */
export function newShareToken(): Pick<TemplateShare, 'tokenHash' | 'tokenSuffix'> & { token: string } {
  const token = `${prefix}${base62(randomBytes(32), 43)}`;
  return { token, tokenHash: hashShareToken(token), tokenSuffix: token.slice(-4) };
}

/** The masked form of a token: the prefix, an ellipsis and the last four characters. */
export function maskedShareToken(suffix: string): string {
  return `${prefix}…${suffix}`;
}

/** The SHA-256 that is stored for a token. A token has 256 random bits, so an unsalted digest cannot be reversed. */
export function hashShareToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
