import { randomBytes } from 'node:crypto';
import type { Organization } from './entities/organization.ts';

/** Hours during which the previous secret stays valid after a rotation, by default. */
export const defaultOverlapHours = 24;

/** A new signing secret: 32 random bytes. */
export function newSigningSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Gives an organization a new signing secret. The previous one stays valid for the overlap; without an overlap, it
 * becomes invalid at once. The caller must flush.
 */
export function replaceSigningSecret(own: Organization, overlapHours: number, now: Date): void {
  Object.assign(own, {
    signingSecret: newSigningSecret(),
    previousSigningSecret: overlapHours > 0 ? own.signingSecret : null,
    previousSigningSecretExpiresAt: overlapHours > 0 ? new Date(now.getTime() + overlapHours * 3_600_000) : null,
  });
}
