import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, position, title, version } from '../values.ts';
import { blocks, maximumBlocks, maximumWidgets } from './blocks.ts';
import { pageSlug } from './portals.ts';

/** The most pages of a portal. */
export const maximumPages = 20;

/** The most bytes that the body with the blocks of a page may have. */
const maximumBytes = 256 * 1024;

const line = z.strictObject({
  id: id.describe('Id of the page.'),
  portalId: id.describe('The portal that contains it.'),
  title: title.describe('Title of the draft.'),
  slug: pageSlug.describe('The last part of its URL.'),
  position: position.describe('Its place among the pages of the portal; counts from 0.'),
  hasUnpublishedChanges: z
    .boolean()
    .describe('Whether its draft differs from what is published, or it was never published.'),
  createdByUserId: id.describe('The member who created it; for an API key, its creator.'),
  updatedByUserId: id.describe('The member who last changed or published it.'),
  publishedByUserId: id.nullable().describe('The member who last published it; null if it was never published.'),
  createdAt: z.iso.datetime().describe('When the page was created.'),
  updatedAt: z.iso.datetime().describe('When it was last changed or published.'),
  publishedAt: z.iso.datetime().nullable().describe('When it was last published; null if it never was.'),
  version,
});

const listItem = line.meta({ id: 'PortalPageListItem', description: 'A page of a portal without its blocks.' });

/** A page of a portal, with its draft and its published content. */
export const portalPage = line
  .extend({
    blocks: blocks.describe('The blocks of its draft, in order.'),
    published: component('PublishedPage', 'The published state of a page.', {
      title: title.describe('The published title.'),
      blocks: blocks.describe('The published blocks, in order.'),
    })
      .nullable()
      .describe('What readers see once the portal is published; null before the first publication.'),
  })
  .meta({ id: 'PortalPage', description: 'A page of a portal.' });

const settings = z.strictObject({
  title: title.describe('Title. Part of the draft, like the blocks.'),
  slug: pageSlug.describe(
    'The last part of its URL: 1 to 63 lower-case letters and digits with single hyphens between them. Unique within the portal; 400 if it is ' +
      'taken. Takes effect without publishing.',
  ),
  position: position
    .optional()
    .describe(
      'Its place among the pages, counted from 0. Numbers past the end stand for the end, the default for new pages. Takes effect without publishing.',
    ),
});

/** The pages of a portal (spec: Portal). */
export const portalPages = {
  list: {
    method: 'GET',
    path: '/portals/:portalId/pages',
    access: 'templates:read',
    summary: 'List the pages of a portal by position',
    query: pageQuery,
    response: page(listItem, 'PortalPageListPage'),
  },
  create: {
    method: 'POST',
    path: '/portals/:portalId/pages',
    access: 'templates:write',
    summary: 'Create a page',
    description: `The page has no blocks and is not published. A portal can have at most ${maximumPages} pages.`,
    body: settings.meta({ id: 'CreatePortalPage', description: 'A new page of a portal.' }),
    errors: ['limit_reached', 'already_exists'],
    status: 201,
    response: portalPage,
    versioned: true,
  },
  get: {
    method: 'GET',
    path: '/portals/:portalId/pages/:pageId',
    large: true,
    access: 'templates:read',
    summary: 'Get a page with its draft and what is published',
    response: portalPage,
    versioned: true,
  },
  update: {
    method: 'PATCH',
    path: '/portals/:portalId/pages/:pageId',
    large: true,
    access: 'templates:write',
    summary: 'Change the title, slug or position of a page',
    description: 'Properties that are left out do not change.',
    body: settings.partial().meta({ id: 'UpdatePortalPage', description: 'Changes to a page of a portal.' }),
    errors: ['already_exists'],
    response: portalPage,
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/portals/:portalId/pages/:pageId',
    access: 'templates:write',
    summary: 'Delete a page',
    description: 'Takes effect without publishing: readers no longer see the page.',
    versioned: true,
  },
  setBlocks: {
    method: 'PUT',
    path: '/portals/:portalId/pages/:pageId/blocks',
    large: true,
    access: 'templates:write',
    summary: 'Replace the blocks of the draft of a page',
    description:
      'Changes only the draft. Returns 400 with every problem and its path, and 403 if a block would show something outside the resource ' +
      'scope of the API key; filters without templates and folders show all runs. If something that a block names is deleted later, the block shows what is left and says so.',
    body: component('SetPortalBlocks', 'The new blocks of a page.', {
      blocks: blocks.describe(`All blocks, in order: at most ${maximumBlocks}, and ${maximumWidgets} with live data.`),
    }),
    response: portalPage,
    versioned: true,
    maximumBytes,
  },
  publishChanges: {
    method: 'POST',
    path: '/portals/:portalId/pages/:pageId/publish-changes',
    large: true,
    access: 'templates:write',
    summary: 'Publish the pending changes of a page',
    description:
      'Returns 400 if nothing is pending, or if the portal is a draft; `POST /portals/:portalId/publish` publishes it with all pages.',
    errors: ['portal_not_published', 'nothing_to_publish'],
    response: portalPage,
    versioned: true,
  },
} as const satisfies Group;
