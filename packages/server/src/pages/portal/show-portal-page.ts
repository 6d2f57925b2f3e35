import { pageSlug, portalSlug } from '@runward/contract';
import { notFound } from '../../api-error.ts';
import { findPortalToRead } from '../../portals/find-readable.ts';
import { showPortal } from '../../portals/view-portal.ts';
import { layout } from '../layout.ts';
import type { HtmlPage, PageRequest, Visitor } from '../page.ts';
import { renderPortal } from './render-portal.ts';
import { textCache } from './render-text.ts';
import { viewCache, viewSeconds } from './view-cache.ts';

/**
 * A page of a portal, by default its first one. Throws a 404 if it does not exist or the visitor may not read it.
 * Whether they may is checked for every request; what the page shows is the same for all who may.
 */
export async function showPortalPage(request: PageRequest): Promise<HtmlPage> {
  const { em, params, findVisitor } = request;
  const slug = portalSlug.safeParse(params['slug']);
  const page = pageSlug.optional().safeParse(params['page']);
  if (!slug.success || !page.success) throw notFound('Page');

  let visitor: Visitor | null = null;
  const portal = await findPortalToRead(em, slug.data, async () => {
    visitor = await findVisitor();
    return visitor?.actor ?? null;
  });
  const { organizationId, id, revision } = portal;
  const pages = page.data === undefined ? 'first' : { slug: page.data };
  // Every change of the portal and its pages, also of its audience, is another revision.
  const key = [organizationId, id, revision, page.data ?? ''].join('/');
  const { title, header, main, footer, imageOrigins } = await em.shared(viewCache).getOrMake(key, async () => {
    const view = await showPortal(request, portal, { reader: null, pages });
    return renderPortal(view, request, em.shared(textCache));
  });
  const isPublic = portal.audience === 'PUBLIC';
  return {
    status: 200,
    html: layout({ title, header, main, footer, visitor, isListed: isPublic }),
    imageOrigins,
    ...(isPublic && { publicForSeconds: viewSeconds }),
  };
}
