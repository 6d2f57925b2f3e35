import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { ensureRestriction } from '../access/resource-scope/restriction.ts';
import { badRequest, notFound } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { newestFirst } from '../database/newest-first.ts';
import { apiKeyProperties, apiKeyTarget } from './audited.ts';
import { createApiKey } from './create-organization.ts';
import { ApiKey } from './entities/api-key.ts';
import { User } from './entities/user.ts';
import { activeKeys, ensureBelowKeyLimit } from './key-limit.ts';
import { presentApiKey } from './present-api-key.ts';

/** API keys, managed in a browser session (spec: API key management). */
export const apiKeys: Handlers<Parts['apiKeys']> = {
  list: async ({ em, actor: { organizationId }, now, query }) => {
    const page = await newestFirst(em, ApiKey, activeKeys(organizationId, now), query);
    const holders = { organizationId, id: { $in: page.data.map(({ createdByUserId }) => createdByUserId) } };
    const deactivated = await em.find(User, { ...holders, status: 'DEACTIVATED' }, { fields: ['id'] });
    const inactive = new Set(deactivated.map(({ id }) => id));
    return { ...page, data: page.data.map((key) => presentApiKey(key, now, !inactive.has(key.createdByUserId))) };
  },

  create: async ({ body, ...context }) => {
    const { em, actor, now } = context;
    const { resourceMode = 'ALL', scopedTemplateIds = [], scopedFolderIds = [] } = body;
    const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt);
    if (expiresAt && expiresAt <= now) throw badRequest(['expiresAt: must be in the future']);
    await ensureRestriction(context, { resourceMode, scopedTemplateIds, scopedFolderIds });

    const { organizationId, userId: createdByUserId } = actor;
    await ensureBelowKeyLimit(em, organizationId, now);
    const { name, scopes } = body;
    const settings = { organizationId, createdByUserId, name, scopes, expiresAt };
    const { row, plainKey } = await createApiKey(em, {
      ...settings,
      resourceMode,
      scopedTemplateIds,
      scopedFolderIds,
    });
    const after = apiKeyProperties(row);
    await recordChange(context, { action: 'api_key.created', target: apiKeyTarget(row), after });
    return { ...presentApiKey(row, now), plainKey };
  },

  revoke: async ({ params: { id }, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId } = actor;
    const revoked = await em.nativeUpdate(ApiKey, { id, organizationId, revokedAt: null }, { revokedAt: now });
    if (revoked === 0) throw notFound('API key');
    const key = await em.findOneOrFail(ApiKey, { id, organizationId });
    await recordChange(context, { action: 'api_key.revoked', target: apiKeyTarget(key) });
  },
};
