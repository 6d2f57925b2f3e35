import { maximumPortals, type Page, type Parts } from '@runward/contract';
import { ensureVersion } from '../access/ensure-version.ts';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { Organization } from '../organization/entities/organization.ts';
import { pageById, type Paging } from '../paging.ts';
import { portalProperties, portalTarget } from './audited.ts';
import { changePortal, flushSlug } from './change-portal.ts';
import { Portal } from './entities/portal.ts';
import { findPortal, findPortals, lockPortal } from './find-portal.ts';
import { findReadable } from './find-readable.ts';
import { presentPortal, presentPortals } from './present-portal.ts';
import { publishPortal } from './publish.ts';

/** Portals themselves (spec: Portal). */
export const portals: Handlers<Parts['portals']> = {
  list: async ({ query, ...context }) => pageOfPortals(context, await findPortals(context), query),

  create: async ({ body: { name, slug, description = null, audience = 'RESTRICTED' }, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId, userId } = actor;
    await ensureBelowPortalLimit(context);
    const portal = em.create(Portal, {
      organizationId,
      id: newId(),
      name,
      slug,
      description,
      audience,
      revision: 1,
      createdByUserId: userId,
      updatedByUserId: userId,
      publishedByUserId: null,
      createdAt: now,
      updatedAt: now,
      publishedAt: null,
    });
    await flushSlug(em, 'portals_slug_key');
    const after = portalProperties(portal);
    await recordChange(context, { action: 'portal.created', target: portalTarget(portal), after });
    return presentPortal(context, portal);
  },

  me: async ({ query, ...context }) => pageOfPortals(context, await findReadable(context), query),

  get: async ({ params, ...context }) => presentPortal(context, await findPortal(context, params.portalId)),

  update: async ({ params, body, ...context }) => {
    const portal = await lockCurrent(context, params.portalId);
    const {
      name = portal.name,
      slug = portal.slug,
      description = portal.description ?? null,
      audience = portal.audience,
    } = body;
    const before = portalProperties(portal);
    await changePortal(context, portal, { name, slug, description, audience });
    const after = portalProperties(portal);
    await recordChange(context, { action: 'portal.updated', target: portalTarget(portal), before, after });
    return presentPortal(context, portal);
  },

  delete: async ({ params, ...context }) => {
    const portal = await lockCurrent(context, params.portalId);
    const { organizationId, id } = portal;
    await context.em.nativeDelete(Portal, { organizationId, id });
    const before = portalProperties(portal);
    await recordChange(context, { action: 'portal.deleted', target: portalTarget(portal), before });
  },

  publish: async ({ params, ...context }) => {
    const portal = await lockCurrent(context, params.portalId);
    await publishPortal(context, portal);
    return presentPortal(context, portal);
  },

  unpublish: async ({ params, ...context }) => {
    const portal = await lockCurrent(context, params.portalId);
    const wasPublished = portal.publishedAt != null;
    await changePortal(context, portal, { publishedAt: null, publishedByUserId: null });
    if (wasPublished) await recordChange(context, { action: 'portal.unpublished', target: portalTarget(portal) });
    return presentPortal(context, portal);
  },
};

/** The same as `lockPortal`. Throws a 412 unless the portal has the version that `If-Match` requires. */
async function lockCurrent(context: RequestContext, id: string): Promise<Portal> {
  const portal = await lockPortal(context, id);
  ensureVersion(context, 'portal', String(portal.revision));
  return portal;
}

async function pageOfPortals(context: RequestContext, all: readonly Portal[], paging: Paging) {
  const page = pageById(all, paging, (portal) => portal);
  return { ...page, data: await presentPortals(context, page.data) } satisfies Page<unknown>;
}

/** The lock makes concurrent requests wait, so that together they cannot exceed the limit. */
async function ensureBelowPortalLimit({ em, actor: { organizationId } }: RequestContext): Promise<void> {
  await lockRow(em, Organization, { id: organizationId }, 'no key update');
  if ((await em.count(Portal, { organizationId })) < maximumPortals) return;
  throw badRequest('limit_reached', `An organization can have at most ${maximumPortals} portals; delete one first.`);
}
