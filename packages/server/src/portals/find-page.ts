import { ensureVersion } from '../access/ensure-version.ts';
import type { RequestContext } from '../access/request-context.ts';
import { found } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { PortalPage } from './entities/portal-page.ts';
import type { Portal } from './entities/portal.ts';
import { findPortal, lockPortal } from './find-portal.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** A page with its blocks, of a portal that the caller may edit. Throws a 404 or 403. */
export async function findPage(context: Context, portalId: string, id: string): Promise<PortalPage> {
  const portal = await findPortal(context, portalId);
  return pageOf(context, portal, id);
}

/**
 * A page with its blocks, with its portal locked until the transaction ends. Throws a 404, a 403, or a 412 unless the
 * page has the version that `If-Match` requires.
 */
export async function lockPage(
  context: Context & Pick<RequestContext, 'ifMatch'>,
  portalId: string,
  id: string,
): Promise<{ portal: Portal; page: PortalPage }> {
  const portal = await lockPortal(context, portalId);
  const page = await pageOf(context, portal, id);
  ensureVersion(context, 'page', String(page.revision));
  return { portal, page };
}

/** The pages of a portal by position, without their blocks. */
export async function pagesOf(em: Em, { organizationId, id }: Portal): Promise<PortalPage[]> {
  return em.find(PortalPage, { organizationId, portalId: id }, { orderBy: { position: 'asc' } });
}

async function pageOf({ em }: Context, { organizationId, id: portalId }: Portal, id: string): Promise<PortalPage> {
  const where = { organizationId, portalId, id };
  return found(await em.findOne(PortalPage, where, { populate: ['blocks', 'publishedBlocks'] }), 'Page');
}
