import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { findPortalToRead } from './find-readable.ts';
import { showPortal } from './view-portal.ts';

/** What readers see of portals (spec: Portal). */
export const portalViews: Handlers<Parts['portalViews']> = {
  view: async ({ params: { slug }, query: { page }, actor: reader, ...context }) => {
    const portal = await findPortalToRead(context.em, slug, async () => reader);
    return showPortal(context, portal, { reader, pages: page === undefined ? 'all' : { slug: page } });
  },
};
