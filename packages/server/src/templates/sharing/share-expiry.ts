import { badRequest } from '../../api-error.ts';
import type { TemplateShare } from '../entities/template-share.ts';

/**
 * The expiry of a share as a date. Null for no expiry; undefined if the caller omitted it. Throws a 400 if it is in the
 * past.
 */
export function expiryOf(expiresAt: string | null | undefined, now: Date): Date | null | undefined {
  if (expiresAt == null) return expiresAt;
  const end = new Date(expiresAt);
  if (end <= now) throw badRequest(['expiresAt: must be in the future']);
  return end;
}

/** Whether a share has expired. */
export function isExpired({ expiresAt }: Pick<TemplateShare, 'expiresAt'>, now: Date): boolean {
  return expiresAt != null && expiresAt <= now;
}
