import { randomBytes } from 'node:crypto';

/** A new signing secret: 32 random bytes. */
export function newSigningSecret(): string {
  return randomBytes(32).toString('base64url');
}
