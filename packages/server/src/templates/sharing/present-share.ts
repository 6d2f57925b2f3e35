import type { Contract, Response } from '@runward/contract';
import type { TemplateShare } from '../entities/template-share.ts';
import { isExpired } from './share-expiry.ts';
import { maskedShareToken } from './share-token.ts';

/** A share without its token. */
export function presentShare(
  share: TemplateShare,
  now: Date,
): Response<Contract['templates.shares']['list']>['data'][number] {
  const { id, templateId, name, tokenSuffix, expiresAt, revokedAt, importCount, createdByUserId, createdAt } = share;
  return {
    id,
    templateId,
    name: name ?? null,
    tokenPrefix: maskedShareToken(tokenSuffix),
    status: revokedAt ? 'REVOKED' : isExpired(share, now) ? 'EXPIRED' : 'ACTIVE',
    expiresAt: expiresAt?.toISOString() ?? null,
    importCount,
    createdByUserId,
    createdAt: createdAt.toISOString(),
  };
}
