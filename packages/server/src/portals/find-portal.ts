import type { RequestContext } from '../access/request-context.ts';
import { namesOutOfScope, namingInScope } from '../access/resource-scope/names.ts';
import { found, notFound } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { PortalPage } from './entities/portal-page.ts';
import { Portal } from './entities/portal.ts';
import { wholeFolders } from './may-show.ts';
import { findUnbounded } from './queries/find-unbounded.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** The portals that the caller may edit, newest first. */
export async function findPortals(context: Context): Promise<Portal[]> {
  const { em, actor } = context;
  const { organizationId } = actor;
  return portalsInScope(context, await em.find(Portal, { organizationId }, { orderBy: { id: 'desc' } }));
}

/**
 * A portal that the caller may edit. Throws a 404, or a 403 if its blocks show something outside the resource scope.
 */
export async function findPortal(context: Context, id: string): Promise<Portal> {
  const { em, actor } = context;
  const { organizationId } = actor;
  const portal = found(await em.findOne(Portal, { organizationId, id }), 'Portal');
  if ((await portalsInScope(context, [portal])).length > 0) return portal;
  throw namesOutOfScope(actor, 'portal');
}

/**
 * A portal that the caller may edit, locked until the transaction ends. Changes of a portal and everything in it happen
 * one at a time. Throws a 404 or 403.
 */
export async function lockPortal(context: Context, id: string): Promise<Portal> {
  const { organizationId } = context.actor;
  if (!(await lockRow(context.em, Portal, { organizationId, id }, 'no key update'))) throw notFound('Portal');
  return findPortal(context, id);
}

async function portalsInScope(context: Context, portals: readonly Portal[]): Promise<Portal[]> {
  const { em, actor } = context;
  if (actor.resourceScope.mode === 'ALL') return [...portals];
  const { organizationId } = actor;
  const ids = portals.map(({ id }) => id);
  const unbounded = await findUnbounded(em, organizationId, ids, wholeFolders(actor));
  const pages = await em.find(
    PortalPage,
    { organizationId, portalId: { $in: ids } },
    { fields: ['portalId', 'named', 'publishedNamed'], disableIdentityMap: true },
  );
  const byPortal = Map.groupBy(pages, (page) => page.portalId);
  return namingInScope(
    context,
    portals.filter(({ id }) => !unbounded.has(id)),
    ({ id }) => (byPortal.get(id) ?? []).flatMap(({ named, publishedNamed }) => [named, publishedNamed ?? {}]),
  );
}
