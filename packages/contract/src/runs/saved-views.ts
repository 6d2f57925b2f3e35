import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { boundedPaging, page, pageQuery } from '../page.ts';
import { id, title } from '../values.ts';
import { filterSet, runSort } from './filters.ts';
import { runCounts, runPage } from './run.ts';

/** Who sees a saved view. */
export const viewVisibilities = ['PRIVATE', 'ORGANIZATION'] as const;

const visibility = z
  .enum(viewVisibilities)
  .meta({ id: 'ViewVisibility', description: 'Who sees a saved view: its creator, or all members.' });

/** The most views that one member can create. */
export const maximumViews = 200;

const savedView = component('SavedView', 'A filter set of runs under a name.', {
  id: id.describe('Id of the view.'),
  name: title.describe('Display name.'),
  filters: filterSet,
  visibility: visibility.describe('PRIVATE: only its creator sees it. ORGANIZATION: all members do.'),
  createdByUserId: id.describe('The member who created it; for an API key, its creator.'),
  createdAt: z.iso.datetime().describe('When the view was created.'),
  updatedAt: z.iso.datetime().describe('When the view was changed last.'),
});

const name = title.describe('Display name. Names need not be unique.');
const onlyItsOwners = 'Returns 403 unless the caller created the view or is an administrator.';

/** Saved views (spec: Saved views). */
export const savedViews = {
  list: {
    method: 'GET',
    path: '/saved-views',
    access: 'runs:read',
    summary: 'List saved views, newest first',
    description:
      "Returns the caller's own views and those with the visibility ORGANIZATION; an API key acts as its creator. A key with a resource " +
      'mode sees only views whose templates and folders are all in its resource scope.',
    query: pageQuery,
    response: page(savedView),
  },
  create: {
    method: 'POST',
    path: '/saved-views',
    access: 'runs:read',
    summary: 'Create a saved view',
    description: `A member can create at most ${maximumViews} views.`,
    body: component('CreateSavedView', 'A new saved view.', {
      name,
      filters: filterSet,
      visibility: visibility.optional().describe('Who sees it. Default: PRIVATE.'),
    }),
    errors: ['limit_reached'],
    status: 201,
    response: savedView,
  },
  get: {
    method: 'GET',
    path: '/saved-views/:id',
    access: 'runs:read',
    summary: 'Get a saved view',
    description: 'Returns 404 for a PRIVATE view of another member.',
    response: savedView,
  },
  update: {
    method: 'PATCH',
    path: '/saved-views/:id',
    access: 'runs:read',
    summary: 'Update a saved view',
    description: `Properties that are left out do not change. Filters replace all filters of the view. ${onlyItsOwners}`,
    body: component('UpdateSavedView', 'Changes to a saved view.', {
      name: name.optional(),
      filters: filterSet.optional(),
      visibility: visibility.optional().describe('Who sees it.'),
    }),
    errors: ['not_own_record'],
    response: savedView,
  },
  delete: {
    method: 'DELETE',
    path: '/saved-views/:id',
    access: 'runs:read',
    summary: 'Delete a saved view',
    description: onlyItsOwners,
    errors: ['not_own_record'],
  },
  preview: {
    method: 'POST',
    path: '/saved-views/preview',
    access: 'runs:read',
    effect: 'read',
    reads: 'replica-on-request',
    summary: 'Count the runs of a filter set by status',
    description: 'Saves nothing. Returns what `GET /runs/counts` returns for these filters.',
    body: component('PreviewSavedView', 'A filter set to count with.', { filters: filterSet }),
    response: runCounts,
  },
  runs: {
    method: 'GET',
    path: '/saved-views/:id/runs',
    access: 'runs:read',
    reads: 'replica-on-request',
    summary: 'List the runs of a saved view',
    description: 'Returns what `GET /runs` returns for the filters of the view.',
    query: z.strictObject({ ...runSort, ...boundedPaging }),
    response: runPage,
  },
} as const satisfies Group;
