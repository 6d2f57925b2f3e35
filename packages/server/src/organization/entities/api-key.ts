import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { resourceModes, type Scope } from '@runward/contract';
import { references } from '../../database/references.ts';

/** A credential of an integration. Only the SHA-256 of the key is stored, which is unique over all organizations. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    keyHash: p.blob(),
    keySuffix: p.text(),
    scopes: p.array().$type<Scope[]>(),
    resourceMode: p.enum(resourceModes),
    scopedTemplateIds: p.array().columnType('uuid[]'),
    scopedFolderIds: p.array().columnType('uuid[]'),
    createdByUserId: references('users'),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'api_keys_key_hash_key', properties: ['keyHash'] }],
});

/** A row of `api_keys`. */
export type ApiKey = InferEntity<typeof ApiKey>;
