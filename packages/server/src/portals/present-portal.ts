import type { Contract, Response } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import type { Portal } from './entities/portal.ts';
import { countPages } from './queries/count-pages.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;
type Presented = Response<Contract['portals']['get']>;

/** Portals without their pages. Changes must have been flushed. */
export async function presentPortals({ em, actor }: Context, portals: readonly Portal[]): Promise<Presented[]> {
  const pages = await countPages(
    em,
    actor.organizationId,
    portals.map(({ id }) => id),
  );
  const byPortal = new Map(pages.map((each) => [each.portalId, each]));
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
