import { isAdministrator } from '@runward/contract';
import type { RequestContext } from '../../access/request-context.ts';
import { namesOutOfScope, namingInScope } from '../../access/resource-scope/names.ts';
import { forbidden, found, notFound } from '../../api-error.ts';
import { lockRow } from '../../database/lock-row.ts';
import { SavedView } from '../entities/saved-view.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** The views that the caller may see, newest first. */
export async function findViews(context: Context): Promise<SavedView[]> {
  const { em, actor } = context;
  return viewsInScope(context, await em.find(SavedView, visibleTo(actor), { orderBy: { id: 'desc' } }));
}

/** A view that the caller may see. Throws a 404, or a 403 if it names something outside the key's resource scope. */
export async function findView(context: Context, id: string): Promise<SavedView> {
  const { em, actor } = context;
  const view = found(await em.findOne(SavedView, { $and: [visibleTo(actor), { id }] }, { refresh: true }), 'View');
  if ((await viewsInScope(context, [view])).length > 0) return view;
  throw namesOutOfScope(actor, 'view');
}

/** A view that the caller may change, locked until the transaction ends. Throws a 404 or 403. */
export async function lockView(context: Context, id: string): Promise<SavedView> {
  const { em, actor } = context;
  if (!(await lockRow(em, SavedView, { organizationId: actor.organizationId, id }, 'update'))) throw notFound('View');
  const view = await findView(context, id);
  if (view.createdByUserId === actor.userId || isAdministrator(actor.role)) return view;
  throw forbidden(
    'not_own_record',
    'Only its creator and administrators can change this view; create a view of your own.',
  );
}

function visibleTo({ organizationId, userId }: Context['actor']) {
  return { organizationId, $or: [{ visibility: 'ORGANIZATION' as const }, { createdByUserId: userId }] };
}

/** The views that name only templates and folders in the key's resource scope. */
async function viewsInScope(context: Context, views: readonly SavedView[]): Promise<SavedView[]> {
  return namingInScope(context, views, ({ filters }) => [filters]);
}
