import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ResourceMode, Scope } from '@runward/contract';

/** A credential of an integration. Only the SHA-256 of the key is kept. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    keyHash: p.blob(),
    keySuffix: p.text(),
    scopes: p.array().$type<Scope[]>(),
    resourceMode: p.text().$type<ResourceMode>(),
    scopedTemplateIds: p.array().columnType('uuid[]'),
    scopedFolderIds: p.array().columnType('uuid[]'),
    createdByUserId: p.uuid(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

/** A row of `api_keys`. */
export type ApiKey = InferEntity<typeof ApiKey>;
