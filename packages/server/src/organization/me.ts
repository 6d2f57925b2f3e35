import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { ApiKey } from './entities/api-key.ts';
import { Organization } from './entities/organization.ts';
import { User } from './entities/user.ts';

/** The caller. */
export const me: Handlers<Parts['me']> = {
  get: async ({ em, actor: { organizationId, userId, apiKeyId } }) => {
    const own = await em.findOneOrFail(Organization, { id: organizationId });
    const organization = { id: own.id, name: own.name, timezone: own.timeZone, plan: own.plan };
    const { id: ownId, email, name: ownName, role } = await em.findOneOrFail(User, { organizationId, id: userId });
    const user = { id: ownId, email, name: ownName, role };
    if (apiKeyId === null) return { type: 'USER', organization, user };
    const key = await em.findOneOrFail(ApiKey, { organizationId, id: apiKeyId });
    const { id, name, scopes, resourceMode, scopedTemplateIds, scopedFolderIds, expiresAt, createdByUserId } = key;
    const restriction = { resourceMode, scopedTemplateIds, scopedFolderIds };
    return {
      type: 'API_KEY',
      organization,
      apiKey: { id, name, scopes, ...restriction, expiresAt: expiresAt?.toISOString() ?? null, createdByUserId },
      user,
    };
  },
};
