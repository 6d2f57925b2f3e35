import type { Contract, Response } from '@runward/contract';
import { sql } from 'kysely';
import type { RequestContext } from '../access/request-context.ts';
import { anyOf, countAs } from '../database/expressions.ts';
import type { Portal } from './entities/portal.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;
type Presented = Response<Contract['portals']['get']>;

/** Portals without their pages. What has changed must have been written. */
export async function presentPortals({ em, actor }: Context, portals: readonly Portal[]): Promise<Presented[]> {
  const pages = await em
    .getKysely()
    .selectFrom('portal_pages as page')
    .where('page.organization_id', '=', actor.organizationId)
    .where('page.portal_id', '=', anyOf(portals.map(({ id }) => id)))
    .select(['page.portal_id', countAs('count'), sql<boolean>`bool_or(page.has_unpublished_changes)`.as('isPending')])
    .groupBy('page.portal_id')
    .execute();
  const byPortal = new Map(pages.map((each) => [each.portal_id, each]));
  return portals.map((portal) => {
    const { id, name, slug, audience, publishedAt } = portal;
    const { count, isPending } = byPortal.get(id) ?? { count: 0, isPending: false };
    return {
      id,
      name,
      slug,
      description: portal.description ?? null,
      audience,
      status: publishedAt ? 'PUBLISHED' : 'DRAFT',
      pageCount: count,
      hasUnpublishedChanges: isPending,
      createdByUserId: portal.createdByUserId,
      updatedByUserId: portal.updatedByUserId,
      publishedByUserId: portal.publishedByUserId ?? null,
      createdAt: portal.createdAt.toISOString(),
      updatedAt: portal.updatedAt.toISOString(),
      publishedAt: publishedAt?.toISOString() ?? null,
      version: String(portal.revision),
    };
  });
}

/** One portal without its pages. */
export async function presentPortal(context: Context, portal: Portal): Promise<Presented> {
  const [presented] = await presentPortals(context, [portal]);
  if (!presented) throw new Error('A portal was not presented.');
  return presented;
}
