import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../access/request-context.ts';
import type { PortalPage } from './entities/portal-page.ts';

type Context = Pick<RequestContext, 'actor' | 'now'>;

/** Saves changes to a page as its next revision. Returns whether anything differs. The caller must lock the portal. */
export function changePage({ actor, now }: Context, page: PortalPage, changes: Partial<PortalPage>): boolean {
  const before = { ...page };
  if (isDeepStrictEqual({ ...before, ...changes }, before)) return false;
  Object.assign(page, changes, { updatedByUserId: actor.userId, updatedAt: now, revision: page.revision + 1 });
  return true;
}

/** Changes a page that was read with its blocks, and records whether its draft differs from the published version. */
export function changeDraft(
  context: Context,
  page: PortalPage,
  changes: Partial<Pick<PortalPage, 'slug' | 'title' | 'blocks' | 'named'>>,
): boolean {
  const { title, blocks } = { ...page, ...changes };
  const isPublished = isDeepStrictEqual([title, blocks], [page.publishedTitle, page.publishedBlocks]);
  return changePage(context, page, { ...changes, hasUnpublishedChanges: !isPublished });
}

/**
 * Moves a page to a position among all pages of its portal, which are in order. A position past the end means the end.
 */
export function movePage(context: Context, pages: readonly PortalPage[], page: PortalPage, position: number): boolean {
  const others = pages.filter(({ id }) => id !== page.id);
  return numberPages(context, others.toSpliced(position, 0, page));
}

/** Gives pages their positions in the list, and returns whether a page was moved. */
export function numberPages(context: Context, pages: readonly PortalPage[]): boolean {
  return pages.filter((each, index) => changePage(context, each, { position: index })).length > 0;
}
