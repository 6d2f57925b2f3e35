import type { Client, Portal, PortalPageListItem } from '@runward/sdk';
import { find } from '@runward/sdk/find';

/**
 * A portal by its ID or its slug.
 *
 * @throws FindError if no portal has the slug
 */
export async function findPortal(client: Client, idOrSlug: string): Promise<Portal> {
  return find(client, 'portal', idOrSlug);
}

/**
 * A page of a portal by its ID or its slug.
 *
 * @throws FindError if the portal has no such page
 */
export async function findPage(client: Client, { id }: Portal, idOrSlug: string): Promise<PortalPageListItem> {
  return find(client, 'page', idOrSlug, id);
}
