import type { Contract, Response } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import type { RunScope } from '../runs/queries/run-conditions.ts';
import type { RequestContext } from '../access/request-context.ts';
import { notFound } from '../api-error.ts';
import { Organization } from '../organization/entities/organization.ts';
import { PortalPage } from './entities/portal-page.ts';
import type { Portal } from './entities/portal.ts';
import { findPortalToRead } from './find-readable.ts';
import { showBlocks } from './show-blocks.ts';

type View = Response<Contract['portals']['view']>;

/** Who reads a portal, and what of it. */
export interface Reading {
  /** null: someone who has not signed in. */
  readonly reader: Actor | null;
  /** The slug of the only page whose blocks are needed; undefined for all. */
  readonly page?: string | undefined;
}

/** A published portal with live data of its organization. Throws a 404 if there is none with the slug that the reader may read. */
export async function viewPortal(
  context: Pick<RequestContext, 'em' | 'now' | 'ports'>,
  slug: string,
  { reader, page: only }: Reading,
): Promise<View> {
  const { em } = context;
  const portal = await findPortalToRead(em, slug, reader);
  const scope = await scopeOf(context, portal, reader);
  const { organizationId, id: portalId, name, description, publishedAt } = portal;
  const published = { organizationId, portalId, publishedAt: { $ne: null } };
  const rows = await em.find(PortalPage, published, { orderBy: { position: 'asc' }, populate: ['publishedBlocks'] });
  if (only !== undefined && !rows.some((row) => row.slug === only)) throw notFound('Page');

  const pages: View['pages'] = [];
  for (const row of rows) {
    const isShown = only === undefined || row.slug === only;
    const blocks = isShown ? await showBlocks(context, scope, portal, row.publishedBlocks ?? []) : null;
    pages.push({ title: row.publishedTitle ?? row.title, slug: row.slug, blocks });
  }
  return {
    name,
    slug,
    description: description ?? null,
    timeZone: scope.timeZone,
    publishedAt: (publishedAt ?? portal.updatedAt).toISOString(),
    pages,
  };
}

/** The resource scope of a key is about its own organization; readers of others see what is public. */
async function scopeOf(
  { em }: Pick<RequestContext, 'em'>,
  { organizationId }: Portal,
  reader: Actor | null,
): Promise<RunScope> {
  if (reader?.organizationId === organizationId) return reader;
  const { timeZone } = await em.findOneOrFail(Organization, { id: organizationId }, { fields: ['timeZone'] });
  return { organizationId, timeZone, resourceScope: { mode: 'ALL' } };
}
