import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ProcessDocument } from '@runward/engine';
import { Folder } from '../../organization/entities/folder.ts';
import { Organization } from '../../organization/entities/organization.ts';
import { TemplateAsset } from './template-asset.ts';
import { TemplateVersion } from './template-version.ts';

/**
 * A process blueprint: its settings, its draft, and which version is published. `revision` counts its changes and is the `version` that
 * clients see. A deleted template keeps its row for its runs.
 */
export const Template = defineEntity({
  name: 'Template',
  tableName: 'templates',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    folderId: p.uuid().nullable(),
    name: p.text(),
    description: p.text().nullable(),
    runTitlePattern: p.text().nullable(),
    draft: p.json<ProcessDocument>().lazy(),
    hasUnpublishedChanges: p.boolean(),
    publishedVersionId: p.uuid().nullable(),
    backgroundAssetId: p.uuid().nullable(),
    revision: p.integer().default(1),
    archivedAt: p.datetime().nullable(),
    deletedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    organization: () => p.manyToOne(Organization).joinColumn('organization_id').lazyRef().persist(false),
    folder: () => p.manyToOne(Folder).joinColumns('organization_id', 'folder_id').nullable().lazyRef().persist(false),
    publishedVersion: () =>
      p
        .manyToOne(TemplateVersion)
        .joinColumns('organization_id', 'published_version_id')
        .nullable()
        .lazyRef()
        .persist(false),
    backgroundAsset: () =>
      p
        .manyToOne(TemplateAsset)
        .joinColumns('organization_id', 'background_asset_id')
        .nullable()
        .lazyRef()
        .persist(false),
  },
  indexes: [
    { name: 'templates_folder_index', properties: ['organizationId', 'folderId'], where: 'deleted_at is null' },
  ],
});

/** A row of `templates`. */
export type Template = InferEntity<typeof Template>;
