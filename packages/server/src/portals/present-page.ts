import type { Contract, Response } from '@runward/contract';
import type { PortalPage } from './entities/portal-page.ts';

type Pages = Contract['portals.pages'];

/** A page without its blocks. */
export function presentPageLine(
  page: Omit<PortalPage, 'blocks' | 'publishedBlocks'>,
): Response<Pages['list']>['data'][number] {
  return {
    id: page.id,
    portalId: page.portalId,
    title: page.title,
    slug: page.slug,
    position: page.position,
    hasUnpublishedChanges: page.hasUnpublishedChanges,
    createdByUserId: page.createdByUserId,
    updatedByUserId: page.updatedByUserId,
    publishedByUserId: page.publishedByUserId ?? null,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
    publishedAt: page.publishedAt?.toISOString() ?? null,
    version: String(page.revision),
  };
}

/** A page with the blocks of its draft, and its published version. */
export function presentPage(page: PortalPage): Response<Pages['get']> {
  const { blocks, publishedTitle, publishedBlocks } = page;
  const published = publishedTitle && publishedBlocks ? { title: publishedTitle, blocks: [...publishedBlocks] } : null;
  return { ...presentPageLine(page), blocks: [...blocks], published };
}
