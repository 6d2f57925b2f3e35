import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { boundedPaging, page, pageQuery } from '../page.ts';
import { id, idList, timestamp, title } from '../values.ts';
import { runFiltersOfAll, runSort } from './filters.ts';
import { launchRejections } from './rejections.ts';
import { activity, launchedRun, launchOptions, run, runCounts, runPage, runVariable } from './run.ts';

/** Runs: detailed and other operations (spec: Endpoints, Runs). */
export const runs = {
  list: {
    method: 'GET',
    path: '/runs',
    access: 'runs:read',
    reads: 'replica-on-request',
    summary: 'List runs, newest first',
    description:
      'To synchronize incrementally, send `updatedAfter` and read all pages. A change appears when it is committed, which can be minutes ' +
      'after its `updatedAt` if it concerns many runs. Start the next synchronization 5 minutes before the latest `updatedAt` you have, ' +
      'and skip runs whose `updatedAt` you know.',
    query: z.strictObject({
      ...runFiltersOfAll,
      ...runSort,
      ...boundedPaging,
    }),
    errors: ['not_found'],
    response: runPage,
  },
  launch: {
    method: 'POST',
    path: '/runs',
    access: 'runs:execute',
    summary: 'Launch a run of a published template',
    description:
      'Creates the tasks of the published version and emits `run.started`. Returns 400 if the template is archived or not published, ' +
      'and 403 if it is outside the resource scope of the API key.',
    body: launchOptions
      .extend({ templateId: id.describe('The template to launch.') })
      .meta({ id: 'LaunchRun', description: 'The template to launch, and options of the launch.' }),
    errors: ['not_found', ...launchRejections],
    status: 201,
    response: launchedRun,
  },
  counts: {
    method: 'GET',
    path: '/runs/counts',
    access: 'runs:read',
    reads: 'replica-on-request',
    summary: 'Count runs by status',
    description:
      'Takes the filters of `GET /runs`; `total` is the total of that list. Archived runs are not counted by default.',
    query: z.strictObject(runFiltersOfAll),
    errors: ['not_found'],
    response: runCounts,
  },
  archive: {
    method: 'POST',
    path: '/runs/archive',
    access: 'runs:write',
    summary: 'Archive completed or cancelled runs',
    description:
      'All or none: returns 400 naming each run that is still active. Archived runs are left out of lists and counts and stay ' +
      'readable by id; reopening a run unarchives it.',
    body: component('ArchiveRuns', 'The runs to archive.', {
      runIds: idList(1000).min(1, 'must contain at least one id').describe('At most 1,000.'),
    }),
    errors: ['not_found', 'run_active'],
    response: component('ArchivedRuns', 'The archived runs.', {
      archived: z.int().min(0).describe('Runs that were not archived before.'),
      runIds: z.array(id).describe('The runs of the request; all of them are archived now.'),
    }),
  },
  unarchive: {
    method: 'POST',
    path: '/runs/unarchive',
    access: 'runs:write',
    summary: 'Unarchive runs',
    description:
      'All or none. The runs appear in lists and counts again; their status does not change. Emits no event.',
    body: component('UnarchiveRuns', 'The runs to unarchive.', {
      runIds: idList(1000).min(1, 'must contain at least one id').describe('At most 1,000.'),
    }),
    errors: ['not_found'],
    response: component('UnarchivedRuns', 'The unarchived runs.', {
      unarchived: z.int().min(0).describe('Runs that were archived before.'),
      runIds: z.array(id).describe('The runs of the request; none of them is archived now.'),
    }),
  },
  get: {
    method: 'GET',
    path: '/runs/:id',
    large: ['include', 'at'],
    access: 'runs:read',
    summary: 'Get a run with its tasks',
    query: z.strictObject({
      include: z
        .enum(['fieldValues'])
        .meta({ id: 'RunInclude', description: 'What a run can include.' })
        .optional()
        .describe('`fieldValues`: each task has its `entries` with their values. Default: without.'),
      at: timestamp
        .optional()
        .describe(
          'The run as it was at this timestamp (RFC 3339), by its activity up to then. 400 before its launch. Default: now.',
        ),
    }),
    response: run,
    versioned: true,
  },
  update: {
    method: 'PATCH',
    path: '/runs/:id',
    access: 'runs:write',
    summary: 'Rename a run',
    description: 'Returns 400 unless the run is active.',
    body: component('UpdateRun', 'Changes to a run.', { title: title.describe('The new title.') }),
    errors: ['run_terminal'],
    response: run,
    versioned: true,
  },
  complete: {
    method: 'POST',
    path: '/runs/:id/complete',
    access: 'runs:write',
    summary: 'Complete a run',
    description:
      'Optional tasks may stay open. Returns 400 naming each required task that is open, or if the run is not active. Emits ' +
      '`run.completed`.',
    errors: ['run_terminal', 'required_tasks_open'],
    response: run,
    versioned: true,
  },
  cancel: {
    method: 'POST',
    path: '/runs/:id/cancel',
    access: 'runs:write',
    summary: 'Cancel a run',
    description:
      'Tasks, entries and values stay as they are. Returns 400 unless the run is active. Emits `run.cancelled`.',
    errors: ['run_terminal'],
    response: run,
    versioned: true,
  },
  reopen: {
    method: 'POST',
    path: '/runs/:id/reopen',
    access: 'runs:write',
    summary: 'Reopen a completed or cancelled run',
    description:
      'The run becomes RUNNING, or OVERDUE if a task is past its deadline, and is unarchived; its tasks stay as they are. Returns 400 ' +
      'if the run is active or its template was deleted. Emits `run.reopened`.',
    errors: ['run_active', 'template_deleted'],
    response: run,
    versioned: true,
  },
  activity: {
    method: 'GET',
    path: '/runs/:id/activity',
    large: true,
    access: 'runs:read',
    summary: 'List the activity of a run, newest first',
    query: pageQuery,
    response: page(activity),
  },
  variables: {
    method: 'GET',
    path: '/runs/:id/variables',
    access: 'runs:read',
    summary: 'List the flow variables of a run',
    query: pageQuery,
    response: page(runVariable),
  },
} as const satisfies Group;
