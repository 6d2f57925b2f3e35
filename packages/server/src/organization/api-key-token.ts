import { hash, randomBytes } from 'node:crypto';
import { base62 } from '../base62.ts';

const prefix = 'sk_live_';
const secretLength = 43;
const checksumLength = 6;

/**
 * Generates an API key: the prefix, 32 random bytes in base62, and a checksum for scanners that find leaked secrets.
 */
export function newApiKey(): { plainKey: string; hash: Buffer; suffix: string } {
  const secret = base62(randomBytes(32), secretLength);
  const plainKey = `${prefix}${secret}${checksum(secret)}`;
  return { plainKey, hash: hashApiKey(plainKey), suffix: plainKey.slice(-4) };
}

/** The masked form of a key: the prefix, an ellipsis and the last four characters. */
export function maskedApiKey(suffix: string): string {
  return `${prefix}…${suffix}`;
}

/** Whether a text has the form of an API key. Only a look-up shows whether it is one. */
export function isApiKey(text: string): boolean {
  return text.startsWith(prefix) && text.length === prefix.length + secretLength + checksumLength;
}

/** The SHA-256 that is stored for a key. A key has 256 random bits, so an unsalted digest cannot be reversed. */
export function hashApiKey(plainKey: string): Buffer {
  return hash('sha256', plainKey, 'buffer');
}

function checksum(secret: string): string {
  return base62(hash('sha256', secret, 'buffer').subarray(0, 4), checksumLength);
}
