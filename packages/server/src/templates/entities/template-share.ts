import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * Lets other organizations import a template. Only its token's SHA-256 is stored, which is unique over all
 * organizations.
 */
export const TemplateShare = defineEntity({
  name: 'TemplateShare',
  tableName: 'template_shares',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    templateId: references('templates'),
    name: p.text().nullable(),
    tokenHash: p.blob(),
    tokenSuffix: p.text(),
    importCount: p.integer(),
    createdByUserId: references('users'),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'template_shares_token_hash_key', properties: ['tokenHash'] }],
  indexes: [{ name: 'template_shares_template_index', properties: ['organizationId', 'templateId'] }],
});

/** A row of `template_shares`. */
export type TemplateShare = InferEntity<typeof TemplateShare>;
