import { isAdministrator } from '@runward/contract';
import { isOfFormLink, type Actor } from '../access/actor.ts';
import type { RequestContext } from '../access/request-context.ts';
import { notFound } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { ensureServed } from '../organization/moves/ensure-served.ts';
import { Portal } from './entities/portal.ts';
import { findGranted } from './queries/find-granted.ts';

/** The published portals of the caller's organization that the caller may read, newest first. */
export async function findReadable({ em, actor }: Pick<RequestContext, 'em' | 'actor'>): Promise<Portal[]> {
  const { organizationId } = actor;
  const published = { organizationId, publishedAt: { $ne: null } };
  const portals = await em.find(Portal, published, { orderBy: { id: 'desc' } });
  const granted = await findGranted(em, actor);
  return portals.filter((portal) => mayRead(actor, portal, granted));
}

/**
 * The published portal with a slug, of any organization. `findReader` is called only if the portal is not public, and
 * returns null if nobody has signed in. Throws a 404, or a 421 or 503 if another cell serves the organization.
 */
export async function findPortalToRead(em: Em, slug: string, findReader: () => Promise<Actor | null>): Promise<Portal> {
  const portal = await em.findOne(Portal, { slug });
  if (!portal?.publishedAt) throw notFound('Portal');
  await ensureServed(em, portal.organizationId);
  if (portal.audience === 'PUBLIC') return portal;
  const reader = await findReader();
  const isOwn = reader?.organizationId === portal.organizationId;
  if (mayRead(reader, portal, reader && isOwn ? await findGranted(em, reader) : new Set())) return portal;
  // Responds as if the portal did not exist.
  throw notFound('Portal');
}

/**
 * Whether a reader may read a published portal. `granted` has the portals that access rules let the reader read. A form
 * link opens only what everyone may read.
 */
function mayRead(reader: Actor | null, portal: Portal, granted: ReadonlySet<string>): boolean {
  if (portal.audience === 'PUBLIC') return true;
  if (reader?.organizationId !== portal.organizationId || isOfFormLink(reader)) return false;
  return isAdministrator(reader.role) || granted.has(portal.id);
}
