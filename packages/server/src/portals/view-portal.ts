import type { Contract, Response } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import type { RequestContext } from '../access/request-context.ts';
import { notFound } from '../api-error.ts';
import { Organization } from '../organization/entities/organization.ts';
import type { RunScope } from '../runs/queries/run-conditions.ts';
import { PortalPage } from './entities/portal-page.ts';
import type { Portal } from './entities/portal.ts';
import { showBlocks } from './show-blocks.ts';

type View = Response<Contract['portals']['view']>;

type Context = Pick<RequestContext, 'em' | 'now' | 'ports'>;

/** Who reads a portal, and which parts. */
export interface Reading {
  /** Null for an unknown reader. */
  readonly reader: Actor | null;
  /** The pages whose blocks are needed: all, the first one, or the one with this slug. */
  readonly pages: 'all' | 'first' | { readonly slug: string };
}

/**
 * A portal as its readers see it. The caller must have checked that this reader may read it. Throws a 404 if it has no
 * page with the slug.
 */
export async function showPortal(context: Context, portal: Portal, { reader, pages: which }: Reading): Promise<View> {
  const { em } = context;
  const scope = await scopeOf(context, portal, reader);
  const { organizationId, id: portalId, name, slug, description, publishedAt } = portal;
  const published = { organizationId, portalId, publishedAt: { $ne: null } };
  const rows = await em.find(PortalPage, published, { orderBy: { position: 'asc' }, populate: ['publishedBlocks'] });
  const shown = which === 'all' ? rows : which === 'first' ? rows.slice(0, 1) : rows.filter(isAt(which.slug));
  if (typeof which === 'object' && shown.length === 0) throw notFound('Page');

  const pages: View['pages'] = [];
  for (const row of rows) {
    const blocks = shown.includes(row) ? await showBlocks(context, scope, portal, row.publishedBlocks ?? []) : null;
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

const isAt = (slug: string) => (page: PortalPage) => page.slug === slug;

/** The resource scope of a key only covers its organization. Readers from other organizations see what is public. */
async function scopeOf({ em }: Context, { organizationId }: Portal, reader: Actor | null): Promise<RunScope> {
  if (reader?.organizationId === organizationId) return reader;
  const { timeZone } = await em.findOneOrFail(Organization, { id: organizationId }, { fields: ['timeZone'] });
  return { organizationId, timeZone, resourceScope: { mode: 'ALL' } };
}
