import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * A signed-in browser. Only the SHA-256 of its cookie is stored, which is unique over all organizations. If a provider
 * signed the member in, `issuer` is the provider, and `providerSessionId` its session (claim `sid`), if it named one. A
 * session that a form link began can do nothing but the task of the link.
 */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    userId: references('users', 'cascade'),
    tokenHash: p.blob(),
    csrfToken: p.text(),
    createdAt: p.datetime(),
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime(),
    issuer: p.text().nullable(),
    providerSessionId: p.text().nullable(),
    formLinkId: references('form_links', 'cascade').nullable(),
  },
  uniques: [{ name: 'sessions_token_hash_key', properties: ['tokenHash'] }],
  indexes: [
    { name: 'sessions_user_index', properties: ['organizationId', 'userId'] },
    { name: 'sessions_expiry_index', properties: ['expiresAt'] },
    {
      name: 'sessions_provider_index',
      properties: ['issuer', 'providerSessionId'],
      where: 'provider_session_id is not null',
    },
  ],
});

/** A row of `sessions`. */
export type Session = InferEntity<typeof Session>;
