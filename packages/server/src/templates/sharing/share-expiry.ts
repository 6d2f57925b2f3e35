import { badRequest } from '../../api-error.ts';
import type { TemplateShare } from '../entities/template-share.ts';

/** A share's expiry as a date. Null for none; undefined if the caller omitted it. Throws a 400 if it is past. */
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
