import { maximumViews, type Contract, type Parts, type Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { User } from '../organization/entities/user.ts';
import { pageById } from '../paging.ts';
import { SavedView } from './entities/saved-view.ts';
import { ensureFilterSet } from './lists/ensure-filter-set.ts';
import { findView, findViews, lockView } from './lists/find-view.ts';
import { pageOfRuns } from './lists/page-of-runs.ts';
import { countRuns } from './queries/list-runs.ts';

const path = 'filters.';

/** Saved views (spec: Saved views). */
export const savedViews: Handlers<Parts['savedViews']> = {
  list: async ({ query, ...context }) => pageById(await findViews(context), query, presentView),

  create: async ({ body: { name, filters, visibility = 'PRIVATE' }, ...context }) => {
    const { em, actor, now } = context;
    await ensureFilterSet(context, filters, path);
    await ensureBelowViewLimit(context);
    const { organizationId, userId: createdByUserId } = actor;
    const times = { createdAt: now, updatedAt: now };
    const view = em.create(SavedView, {
      organizationId,
      id: newId(),
      name,
      filters,
      visibility,
      createdByUserId,
      ...times,
    });
    await em.flush();
    return presentView(view);
  },

  get: async ({ params, ...context }) => presentView(await findView(context, params.id)),

  update: async ({ params, body: { name, filters, visibility }, ...context }) => {
    const view = await lockView(context, params.id);
    if (filters !== undefined) await ensureFilterSet(context, filters, path);
    if (name !== undefined) view.name = name;
    if (filters !== undefined) view.filters = filters;
    if (visibility !== undefined) view.visibility = visibility;
    view.updatedAt = context.now;
    return presentView(view);
  },

  delete: async ({ params, ...context }) => {
    const { organizationId, id } = await lockView(context, params.id);
    await context.em.nativeDelete(SavedView, { organizationId, id });
  },

  preview: async ({ body: { filters }, ...context }) => {
    await ensureFilterSet(context, filters, path);
    return countRuns(context.em, context.actor, filters);
  },

  runs: async ({ params, query, ...context }) => {
    const { filters } = await findView(context, params.id);
    return pageOfRuns(context, { ...filters, ...query });
  },
};

/** The lock makes concurrent requests wait, so that together they cannot exceed the limit. */
async function ensureBelowViewLimit({ em, actor: { organizationId, userId } }: RequestContext): Promise<void> {
  await lockRow(em, User, { organizationId, id: userId }, 'no key update');
  if ((await em.count(SavedView, { organizationId, createdByUserId: userId })) < maximumViews) return;
  throw badRequest('limit_reached', `A member can create at most ${maximumViews} views; delete one first.`);
}

function presentView(view: SavedView): Response<Contract['savedViews']['get']> {
  const { id, name, filters, visibility, createdByUserId, createdAt, updatedAt } = view;
  return {
    id,
    name,
    filters,
    visibility,
    createdByUserId,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
