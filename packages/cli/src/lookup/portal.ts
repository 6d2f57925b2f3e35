import type { Client, Portal, PortalPageListItem } from '@runward/sdk';
import { notFound } from '../errors.ts';
import { isId } from './ids.ts';
import { similar } from './similar.ts';

/**
 * A portal by its ID or its slug.
 *
 * @throws CliError if no portal has the slug
 */
export async function findPortal({ portals }: Client, idOrSlug: string): Promise<Portal> {
  if (isId(idOrSlug)) return portals.get(idOrSlug);
  const all = await Array.fromAsync(portals.list());
  return bySlug(all, idOrSlug, { kind: 'portal', list: 'runward portals list' });
}

/**
 * A page of a portal by its ID or its slug.
 *
 * @throws CliError if the portal has no such page
 */
export async function findPage({ portals }: Client, portal: Portal, idOrSlug: string): Promise<PortalPageListItem> {
  const pages = await Array.fromAsync(portals.pages.list(portal.id));
  const found = pages.find(({ id }) => id === idOrSlug.toLowerCase());
  return found ?? bySlug(pages, idOrSlug, { kind: 'page', list: `runward portals pages list ${portal.slug}` });
}

function bySlug<Record extends { readonly slug: string }>(
  records: readonly Record[],
  slug: string,
  { kind, list }: { readonly kind: string; readonly list: string },
): Record {
  const found = records.find((record) => record.slug === slug.trim());
  if (found) return found;
  const slugs = similar(
    slug,
    records.map((record) => record.slug),
  );
  const hint = slugs.length > 0 ? `Did you mean ${slugs.join(' or ')}?` : `See: ${list}`;
  throw notFound(`No ${kind} has the slug "${slug}". ${hint}`);
}
