import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ProcessDocument } from '@runward/engine';

/** A published version of a template; it never changes. */
export const TemplateVersion = defineEntity({
  name: 'TemplateVersion',
  tableName: 'template_versions',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    templateId: p.uuid(),
    number: p.integer(),
    note: p.text().nullable(),
    document: p.json<ProcessDocument>().lazy(),
    publishedByUserId: p.uuid(),
    publishedAt: p.datetime(),
  },
});

/** A row of `template_versions`. */
export type TemplateVersion = InferEntity<typeof TemplateVersion>;
