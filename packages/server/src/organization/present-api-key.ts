import type { Contract, Response } from '@runward/contract';
import { maskedApiKey } from './api-key-token.ts';
import type { ApiKey } from './entities/api-key.ts';

/** A key without its secret. */
export function presentApiKey(
  row: ApiKey,
  now: Date,
  isMemberActive = true,
): Response<Contract['apiKeys']['list']>['data'][number] {
  const { id, name, scopes, resourceMode, scopedTemplateIds, scopedFolderIds, createdByUserId } = row;
  return {
    id,
    name,
    keyPrefix: maskedApiKey(row.keySuffix),
    scopes,
    resourceMode,
    scopedTemplateIds,
    scopedFolderIds,
    status: row.revokedAt || !isMemberActive ? 'REVOKED' : row.expiresAt && row.expiresAt <= now ? 'EXPIRED' : 'ACTIVE',
    revokedReason: isMemberActive ? null : 'MEMBER_DEACTIVATED',
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdByUserId,
    createdAt: row.createdAt.toISOString(),
  };
}
