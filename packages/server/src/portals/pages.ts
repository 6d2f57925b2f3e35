import { maximumPages, type Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { badRequest } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { newId } from '../ids.ts';
import { pageOfAll } from '../paging.ts';
import { portalTarget } from './audited.ts';
import { changeDraft, movePage, numberPages } from './change-page.ts';
import { flushSlug, revisePortal } from './change-portal.ts';
import { checkBlocks } from './check-blocks.ts';
import { PortalPage } from './entities/portal-page.ts';
import { findPage, lockPage, pagesOf } from './find-page.ts';
import { findPortal, lockPortal } from './find-portal.ts';
import { presentPage, presentPageLine } from './present-page.ts';
import { publishPage } from './publish.ts';

const slugs = 'portal_pages_slug_key';

/** The pages of portals (spec: Portal). */
export const portalPages: Handlers<Parts['portalPages']> = {
  list: async ({ params, query, ...context }) => {
    const portal = await findPortal(context, params.portalId);
    return pageOfAll((await pagesOf(context.em, portal)).map(presentPageLine), query, context.ports.limits);
  },

  create: async ({ params, body: { title, slug, position = maximumPages }, ...context }) => {
    const { em, actor, now } = context;
    const portal = await lockPortal(context, params.portalId);
    const pages = await pagesOf(em, portal);
    if (pages.length >= maximumPages) {
      throw badRequest('limit_reached', `A portal can have at most ${maximumPages} pages; delete one first.`);
    }
    const page = em.create(PortalPage, {
      organizationId: portal.organizationId,
      id: newId(),
      portalId: portal.id,
      slug,
      position: Math.min(position, pages.length),
      title,
      blocks: [],
      named: { templateIds: [], folderIds: [], presetIds: [] },
      publishedTitle: null,
      publishedBlocks: null,
      publishedNamed: null,
      hasUnpublishedChanges: true,
      revision: 1,
      createdByUserId: actor.userId,
      updatedByUserId: actor.userId,
      publishedByUserId: null,
      createdAt: now,
      updatedAt: now,
      publishedAt: null,
    });
    numberPages(context, pages.toSpliced(position, 0, page));
    await flushSlug(em, slugs);
    await revisePortal(context, portal);
    return presentPage(page);
  },

  get: async ({ params, ...context }) => presentPage(await findPage(context, params.portalId, params.pageId)),

  update: async ({ params, body, ...context }) => {
    const { portal, page } = await lockPage(context, params.portalId, params.pageId);
    const pages = await pagesOf(context.em, portal);
    const { title = page.title, slug = page.slug, position = page.position } = body;
    const isEdited = changeDraft(context, page, { title, slug });
    const isMoved = movePage(context, pages, page, position);
    if (!isEdited && !isMoved) return presentPage(page);
    await flushSlug(context.em, slugs);
    await revisePortal(context, portal);
    return presentPage(page);
  },

  delete: async ({ params, ...context }) => {
    const { portal, page } = await lockPage(context, params.portalId, params.pageId);
    const pages = await pagesOf(context.em, portal);
    context.em.remove(page);
    numberPages(
      context,
      pages.filter(({ id }) => id !== page.id),
    );
    await revisePortal(context, portal);
  },

  setBlocks: async ({ params, body: { blocks }, ...context }) => {
    const { portal, page } = await lockPage(context, params.portalId, params.pageId);
    const named = await checkBlocks(context, blocks);
    if (changeDraft(context, page, { blocks, named })) await revisePortal(context, portal);
    return presentPage(page);
  },

  publishChanges: async ({ params, ...context }) => {
    const { portal, page } = await lockPage(context, params.portalId, params.pageId);
    if (!portal.publishedAt)
      throw badRequest('portal_not_published', 'The portal is a draft; publish it, which publishes all of its pages.');
    if (!page.hasUnpublishedChanges)
      throw badRequest('nothing_to_publish', 'The page has no changes to publish; edit its draft first.');
    publishPage(context, page);
    await revisePortal(context, portal);
    const after = { audience: portal.audience, pages: [page.title] };
    await recordChange(context, { action: 'portal.published', target: portalTarget(portal), after });
    return presentPage(page);
  },
};
