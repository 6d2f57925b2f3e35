import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Block } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * The ids of the records that blocks name, as needed for resource scopes and deletions. An image counts as its
 * template. The records that a report preset names are included.
 */
export interface Named {
  readonly templateIds: readonly string[];
  readonly folderIds: readonly string[];
  readonly presetIds: readonly string[];
}

/**
 * A page of a portal: its draft, and a copy of the draft that was published last. The ids of the records that the
 * blocks name are stored beside them, so that the blocks need not be read to find them. These records may have been
 * deleted since.
 */
export const PortalPage = defineEntity({
  name: 'PortalPage',
  tableName: 'portal_pages',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    portalId: references('portals', 'cascade'),
    slug: p.text(),
    position: p.integer(),
    title: p.text(),
    blocks: p.json<readonly Block[]>().lazy(),
    named: p.json<Named>(),
    publishedTitle: p.text().nullable(),
    publishedBlocks: p.json<readonly Block[]>().nullable().lazy(),
    publishedNamed: p.json<Named>().nullable(),
    hasUnpublishedChanges: p.boolean(),
    revision: p.integer(),
    createdByUserId: references('users'),
    updatedByUserId: references('users'),
    publishedByUserId: references('users').nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'portal_pages_slug_key', properties: ['organizationId', 'portalId', 'slug'] }],
});

/** A row of `portal_pages`. */
export type PortalPage = InferEntity<typeof PortalPage>;
