import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { anyOf, countAs } from '../../database/expressions.ts';

/** The number of pages of a portal, and whether one of them was changed since it was published. */
export interface PageCount {
  readonly portalId: string;
  readonly count: number;
  readonly isPending: boolean;
}

/** The counts of portals that have pages. */
export async function countPages(em: Em, organizationId: string, portalIds: readonly string[]): Promise<PageCount[]> {
  return em
    .getKysely()
    .selectFrom('portal_pages as page')
    .where('page.organization_id', '=', organizationId)
    .where('page.portal_id', '=', anyOf(portalIds))
    .select([
      'page.portal_id as portalId',
      countAs('count'),
      sql<boolean>`bool_or(page.has_unpublished_changes)`.as('isPending'),
    ])
    .groupBy('page.portal_id')
    .execute();
}
