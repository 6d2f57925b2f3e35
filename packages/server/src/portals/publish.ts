import type { RequestContext } from '../access/request-context.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { portalTarget } from './audited.ts';
import { changePage } from './change-page.ts';
import { revisePortal } from './change-portal.ts';
import { PortalPage } from './entities/portal-page.ts';
import type { Portal } from './entities/portal.ts';

/** Publishes a portal with all pending changes of its pages, if there are any. The caller must lock the portal. */
export async function publishPortal(context: RequestContext, portal: Portal): Promise<void> {
  const { em, actor, now } = context;
  const { organizationId, id: portalId } = portal;
  const pending = { organizationId, portalId, hasUnpublishedChanges: true };
  const pages = await em.find(PortalPage, pending, { populate: ['blocks'] });
  if (portal.publishedAt && pages.length === 0) return;
  for (const page of pages) publishPage(context, page);
  await revisePortal(context, Object.assign(portal, { publishedAt: now, publishedByUserId: actor.userId }));
  const after = { audience: portal.audience, pages: pages.map(({ title }) => title) };
  await recordChange(context, { action: 'portal.published', target: portalTarget(portal), after });
}

/** Copies the draft of a page to the version that its readers see. */
export function publishPage(context: Pick<RequestContext, 'actor' | 'now'>, page: PortalPage): void {
  const { title, blocks, named } = page;
  changePage(context, page, {
    publishedTitle: title,
    publishedBlocks: blocks,
    publishedNamed: named,
    publishedByUserId: context.actor.userId,
    publishedAt: context.now,
    hasUnpublishedChanges: false,
  });
}
