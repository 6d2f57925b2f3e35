import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ProcessDocument } from '@runward/engine';
import { references } from '../../database/references.ts';

/**
 * A process blueprint: its settings, its draft, and which version is published. `revision` counts its changes and is
 * the `version` that clients see. The row of a deleted template is kept for its runs.
 */
export const Template = defineEntity({
  name: 'Template',
  tableName: 'templates',
  properties: {
    organizationId: references('organizations').primary(),
    id: p.uuid().primary(),
    folderId: references('folders').nullable(),
    name: p.text(),
    description: p.text().nullable(),
    runTitlePattern: p.text().nullable(),
    draft: p.json<ProcessDocument>().lazy(),
    hasUnpublishedChanges: p.boolean(),
    publishedVersionId: references('template_versions').nullable(),
    backgroundAssetId: references('template_assets').nullable(),
    revision: p.integer().default(1),
    archivedAt: p.datetime().nullable(),
    deletedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
  indexes: [
    { name: 'templates_folder_index', properties: ['organizationId', 'folderId'], where: 'deleted_at is null' },
  ],
});

/** A row of `templates`. */
export type Template = InferEntity<typeof Template>;
