import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { viewPortal } from './view-portal.ts';

/** What readers see of portals (spec: Portal). */
export const portalViews: Handlers<Parts['portalViews']> = {
  view: async ({ params, query, actor, ...context }) => viewPortal(context, params.slug, { reader: actor, ...query }),
};
