import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ProcessDocument } from '@runward/engine';

/** A process blueprint: its own settings, its draft, and which version is published. A deleted one keeps its row for its runs. */
export const Template = defineEntity({
  name: 'Template',
  tableName: 'templates',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    folderId: p.uuid().nullable(),
    name: p.text(),
    description: p.text().nullable(),
    runTitlePattern: p.text().nullable(),
    draft: p.json<ProcessDocument>().lazy(),
    hasUnpublishedChanges: p.boolean(),
    publishedVersionId: p.uuid().nullable(),
    archivedAt: p.datetime().nullable(),
    deletedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A row of `templates`. */
export type Template = InferEntity<typeof Template>;
