import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ProcessDocument } from '@runward/engine';
import { references } from '../../database/references.ts';

/** A published version of a template. It never changes. */
export const TemplateVersion = defineEntity({
  name: 'TemplateVersion',
  tableName: 'template_versions',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    templateId: references('templates'),
    number: p.integer(),
    note: p.text().nullable(),
    document: p.json<ProcessDocument>().lazy(),
    publishedByUserId: references('users'),
    publishedAt: p.datetime(),
  },
  uniques: [{ name: 'template_versions_number_key', properties: ['organizationId', 'templateId', 'number'] }],
});

/** A row of `template_versions`. */
export type TemplateVersion = InferEntity<typeof TemplateVersion>;
