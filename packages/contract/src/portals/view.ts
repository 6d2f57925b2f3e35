import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { title } from '../values.ts';
import { shownBlock } from './blocks.ts';
import { portalPage } from './pages.ts';
import { portal } from './portals.ts';

const slug = z.string().max(255, 'must be at most 255 characters').describe('Slug of the portal.');

const portalView = component('PortalView', 'A published portal as its readers see it.', {
  ...portal.pick({ name: true, slug: true, description: true }).shape,
  timeZone: z.string().describe('IANA time zone of its organization, in which days are meant.'),
  publishedAt: z.iso.datetime().describe('When the portal was last published.'),
  pages: z
    .array(
      component('ShownPage', 'A published page as its readers see it.', {
        title: title.describe('Title of the page.'),
        slug: portalPage.shape.slug,
        blocks: z
          .array(shownBlock)
          .nullable()
          .describe('Its blocks with live data, in order; null if `page` names another page.'),
      }),
    )
    .describe('The published pages, by position.'),
});

/** What readers see of portals (spec: Portal). */
export const portalViews = {
  view: {
    method: 'GET',
    path: '/portals/by-slug/:slug/view',
    large: true,
    access: 'templates:read',
    params: { slug },
    reads: 'replica',
    summary: 'Read a published portal with live data',
    description:
      'Keys and members of every organization can read a PUBLIC portal. A RESTRICTED portal can be read by the members with access, and by the ' +
      'owners and admins of its organization. For everyone else, and while the portal is a draft, the response is 404. The view contains ' +
      'neither ids of records nor members. A key of the same organization with a resource mode sees data of its templates only.',
    query: z.strictObject({
      page: slug
        .optional()
        .describe('Slug of a page: only its blocks are returned. 404 if there is none. Default: all pages.'),
    }),
    errors: ['query_too_large'],
    response: portalView,
    timeBudgetMs: 30_000,
  },
} as const satisfies Group;
