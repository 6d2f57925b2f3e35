import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Block } from '@runward/contract';
import { User } from '../../organization/entities/user.ts';
import { Portal } from './portal.ts';

/**
 * The ids of the records that blocks name, as far as resource scopes and deletions need them. An image counts as its template; what a report
 * preset names counts too.
 */
export interface Named {
  readonly templateIds: readonly string[];
  readonly folderIds: readonly string[];
  readonly presetIds: readonly string[];
}

/**
 * A page of a portal: its draft, and a copy of the draft that was published last. What the blocks name is stored beside them, so that it is
 * known without reading them; it may have been deleted since.
 */
export const PortalPage = defineEntity({
  name: 'PortalPage',
  tableName: 'portal_pages',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    portalId: p.uuid(),
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
    createdByUserId: p.uuid(),
    updatedByUserId: p.uuid(),
    publishedByUserId: p.uuid().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
    portal: () =>
      p.manyToOne(Portal).joinColumns('organization_id', 'portal_id').deleteRule('cascade').lazyRef().persist(false),
    createdBy: () => p.manyToOne(User).joinColumns('organization_id', 'created_by_user_id').lazyRef().persist(false),
    updatedBy: () => p.manyToOne(User).joinColumns('organization_id', 'updated_by_user_id').lazyRef().persist(false),
    publishedBy: () =>
      p.manyToOne(User).joinColumns('organization_id', 'published_by_user_id').nullable().lazyRef().persist(false),
  },
  uniques: [{ name: 'portal_pages_slug_key', properties: ['organizationId', 'portalId', 'slug'] }],
});

/** A row of `portal_pages`. */
export type PortalPage = InferEntity<typeof PortalPage>;
