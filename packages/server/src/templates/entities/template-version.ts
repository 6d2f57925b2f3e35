import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ProcessDocument } from '@runward/engine';
import { User } from '../../organization/entities/user.ts';
import { Template } from './template.ts';

/** A published version of a template. It never changes. */
export const TemplateVersion = defineEntity({
  name: 'TemplateVersion',
  tableName: 'template_versions',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    templateId: p.uuid(),
    number: p.integer(),
    note: p.text().nullable(),
    document: p.json<ProcessDocument>().lazy(),
    publishedByUserId: p.uuid(),
    publishedAt: p.datetime(),
    template: () => p.manyToOne(Template).joinColumns('organization_id', 'template_id').lazyRef().persist(false),
    publishedBy: () =>
      p.manyToOne(User).joinColumns('organization_id', 'published_by_user_id').lazyRef().persist(false),
  },
  uniques: [{ name: 'template_versions_number_key', properties: ['organizationId', 'templateId', 'number'] }],
});

/** A row of `template_versions`. */
export type TemplateVersion = InferEntity<typeof TemplateVersion>;
