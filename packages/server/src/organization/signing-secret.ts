import { randomBytes } from 'node:crypto';
import type { Contract, Response } from '@runward/contract';
import { badRequest } from '../api-error.ts';

/** Hours during which the previous secret stays valid after a rotation, by default. */
export const defaultOverlapHours = 24;

/** The columns of a row that has a signing secret: an organization, or a webhook with a secret of its own. */
export interface SigningSecretColumns {
  signingSecret?: string | null | undefined;
  previousSigningSecret?: string | null | undefined;
  previousSigningSecretExpiresAt?: Date | null | undefined;
}

/** A new signing secret: 32 random bytes. */
export function newSigningSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Gives a row a new signing secret. The previous one stays valid for the overlap; without an overlap, it becomes
 * invalid at once. The caller must flush.
 */
export function replaceSigningSecret(own: SigningSecretColumns, overlapHours: number, now: Date): void {
  Object.assign(own, {
    signingSecret: newSigningSecret(),
    previousSigningSecret: overlapHours > 0 ? own.signingSecret : null,
    previousSigningSecretExpiresAt: overlapHours > 0 ? new Date(now.getTime() + overlapHours * 3_600_000) : null,
  });
}

/**
 * Rotates the signing secret of a row as a client asks for it, and returns the overlap. The caller must have locked the
 * row, and must flush. Throws a 400 if another rotation overlaps.
 */
export function rotateSigningSecret(
  own: SigningSecretColumns,
  { overlapHours = defaultOverlapHours }: { readonly overlapHours?: number | undefined } = {},
  now: Date,
): { readonly overlapHours: number } {
  const { previousExpiresAt } = presentSigningSecret(own, now);
  if (previousExpiresAt !== null && overlapHours > 0) {
    throw badRequest(
      'rotation_in_progress',
      `The previous secret is valid until ${previousExpiresAt}; wait until then, or send overlapHours 0 to invalidate all earlier secrets now.`,
    );
  }
  replaceSigningSecret(own, overlapHours, now);
  return { overlapHours };
}

/** The secrets that sign deliveries, without an expired previous secret. */
export function presentSigningSecret(
  { signingSecret, previousSigningSecret, previousSigningSecretExpiresAt: until }: SigningSecretColumns,
  now: Date,
): Response<Contract['organization']['signingSecret']> {
  const secret = signingSecret ?? '';
  if (!previousSigningSecret || !until || until <= now) {
    return { secret, previousSecret: null, previousExpiresAt: null };
  }
  return { secret, previousSecret: previousSigningSecret, previousExpiresAt: until.toISOString() };
}
