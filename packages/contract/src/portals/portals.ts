import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { description, id, title, version } from '../values.ts';

/** Who may read a published portal. */
export const portalAudiences = ['PUBLIC', 'RESTRICTED'] as const;

const audience = z
  .enum(portalAudiences)
  .meta({ id: 'PortalAudience', description: 'Who may read a published portal.' });

const audienceText =
  'PUBLIC: everyone. RESTRICTED: members of the organization with access, see `GET /portals/:portalId/access-rules`, and its owners and ' +
  'admins.';

/** The most portals of an organization. */
export const maximumPortals = 200;

const shape = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const shapeError = 'must consist of lower-case letters and digits, with single hyphens between them';

/** The part of a URL that names a page: 1 to 63 lower-case letters, digits and single hyphens. */
export const pageSlug = z.string().max(63, 'must be at most 63 characters').regex(shape, shapeError);

/** Names that URLs of the service have, or may get. */
const reserved: readonly string[] = ['admin', 'api', 'assets', 'console', 'docs', 'me', 'p', 'sign-in'];

/** The part of a URL that names a portal: like a page slug, but at least 3 characters long and not a reserved name. */
export const portalSlug = pageSlug
  .min(3, 'must be at least 3 characters')
  .refine((slug) => !reserved.includes(slug), `must not be one of the reserved names: ${reserved.join(', ')}`);

/** A portal without its pages. */
export const portal = component('Portal', 'A site of an organization for its customers, without its pages.', {
  id: id.describe('Id of the portal.'),
  name: title.describe('Display name.'),
  slug: portalSlug.describe('The last part of its URL.'),
  description: description.nullable().describe('What the portal is for; null for none.'),
  audience: audience.describe(audienceText),
  status: z
    .enum(['DRAFT', 'PUBLISHED'])
    .meta({ id: 'PortalStatus', description: 'Whether readers can open a portal.' })
    .describe('Readers can open a PUBLISHED portal; only editors see a DRAFT.'),
  pageCount: z.int().min(0).describe('The number of its pages, including those that were never published.'),
  hasUnpublishedChanges: z.boolean().describe('Whether a page differs from what is published, or was never published.'),
  createdByUserId: id.describe('The member who created it; for an API key, its creator.'),
  updatedByUserId: id.describe('The member who last changed it or one of its pages.'),
  publishedByUserId: id.nullable().describe('The member who last published it; null for a DRAFT.'),
  createdAt: z.iso.datetime().describe('When the portal was created.'),
  updatedAt: z.iso.datetime().describe('When it or one of its pages last changed.'),
  publishedAt: z.iso.datetime().nullable().describe('When it was last published; null for a DRAFT.'),
  version: version.describe(
    'Differs after every change of the portal or one of its pages. Equals the `ETag` without its quotes.',
  ),
});

const settings = z.strictObject({
  name: title.describe('Display name. Names need not be unique.'),
  slug: portalSlug.describe(
    'The last part of its URL: 3 to 63 lower-case letters and digits with single hyphens between them. Unique over all organizations; 400 if ' +
      `it is taken. Reserved: ${reserved.join(', ')}.`,
  ),
  description: description.nullable().optional().describe('At most 2,000 characters; null for none.'),
  audience: audience.optional().describe(`${audienceText} New portals: RESTRICTED by default.`),
});

const ofEditors =
  'A key with a resource mode sees only portals whose blocks show nothing outside of it: each names templates or whole folders that the key lists.';

/** Portals (spec: Portal). Their pages, access rules and report presets are groups of their own. */
export const portals = {
  list: {
    method: 'GET',
    path: '/portals',
    access: 'templates:read',
    summary: 'List portals, newest first',
    description: `Includes drafts. ${ofEditors}`,
    query: pageQuery,
    response: page(portal, 'PortalListPage'),
  },
  create: {
    method: 'POST',
    path: '/portals',
    access: 'templates:write',
    summary: 'Create a portal',
    description: `The portal is a draft without pages. An organization can have at most ${maximumPortals} portals.`,
    body: settings.meta({ id: 'CreatePortal', description: 'Settings of a new portal.' }),
    errors: ['limit_reached', 'already_exists'],
    status: 201,
    response: portal,
    versioned: true,
  },
  me: {
    method: 'GET',
    path: '/portals/me',
    access: 'templates:read',
    summary: 'List the published portals the caller may read',
    description:
      "The published portals of the caller's organization, newest first: PUBLIC ones, and RESTRICTED ones with an access rule for the member or one of " +
      'their groups. Owners and admins see all of them. An API key has the access of its creator.',
    query: pageQuery,
    response: page(portal, 'PortalListPage'),
  },
  get: {
    method: 'GET',
    path: '/portals/:portalId',
    access: 'templates:read',
    summary: 'Get a portal',
    response: portal,
    versioned: true,
  },
  update: {
    method: 'PATCH',
    path: '/portals/:portalId',
    access: 'templates:write',
    summary: 'Update the settings of a portal',
    description:
      'Properties that are left out do not change. Takes effect without publishing. A former slug becomes available to others immediately.',
    body: settings.partial().meta({ id: 'UpdatePortal', description: 'Changes to the settings of a portal.' }),
    errors: ['already_exists'],
    response: portal,
    versioned: true,
  },
  delete: {
    method: 'DELETE',
    path: '/portals/:portalId',
    access: 'templates:write',
    summary: 'Delete a portal',
    description: 'Deletes its pages and access rules with it. Report presets stay.',
    versioned: true,
  },
  publish: {
    method: 'POST',
    path: '/portals/:portalId/publish',
    large: true,
    access: 'templates:write',
    summary: 'Publish a portal with all pending changes of its pages',
    description: 'If the portal is already published, publishes the pending changes of its pages.',
    response: portal,
    versioned: true,
  },
  unpublish: {
    method: 'POST',
    path: '/portals/:portalId/unpublish',
    access: 'templates:write',
    summary: 'Unpublish a portal',
    description: 'Afterwards only its editors can read it. Its pages stay as they are.',
    response: portal,
    versioned: true,
  },
} as const satisfies Group;
