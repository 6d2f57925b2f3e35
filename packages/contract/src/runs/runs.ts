import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery, paging } from '../page.ts';
import { runTask } from './tasks.ts';
import { flag, id, idList, localDate, title, variableValue, wholeNumber } from '../values.ts';

/** RUNNING and OVERDUE are active; COMPLETED and CANCELLED are terminal (spec: Run statuses). */
export const runStatuses = ['RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED'] as const;

/** The status of a run. */
export type RunStatus = (typeof runStatuses)[number];

const identity = {
  id,
  publicId: z.string().meta({ description: 'Short id for display, like `RUN-7K3M9Q`; not accepted in URLs.' }),
  title,
  status: z.enum(runStatuses),
  templateId: id,
};

/** A run in a list. */
export const runListItem = z
  .strictObject({
    ...identity,
    ownerUserId: id,
    scheduledDateLocal: localDate,
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RunListItem' });

/** A run as its launch returns it. */
export const launchedRun = z
  .strictObject({ ...identity, templateVersionId: id, ownerUserId: id, createdAt: z.iso.datetime() })
  .meta({ id: 'LaunchedRun' });

/** A run with its tasks. */
export const run = z
  .strictObject({
    ...identity,
    templateVersionId: id,
    ownerUserId: id,
    scheduledDateLocal: localDate,
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
    cancelledAt: z.iso.datetime().nullable(),
    archivedAt: z.iso.datetime().nullable(),
    tasks: z.array(runTask),
  })
  .meta({ id: 'Run' });

/** Options of a launch. */
export const launchOptions = z.strictObject({
  title: title.optional().meta({ description: "Default: the template's `runTitlePattern`, otherwise its name." }),
  scheduledDateLocal: localDate.optional().meta({ description: "Default: today in the organization's time zone." }),
  ownerEmail: z
    .email({ error: 'must be an email address' })
    .max(320, 'must be at most 320 characters')
    .optional()
    .meta({
      description:
        'Email address of the active member who owns the run. Default: the caller; for an API key, its creator.',
    }),
  variables: z.record(z.string(), variableValue).optional().meta({
    description: 'Values of flow variables by key. Default: their default values. Unknown keys are rejected with 400.',
  }),
});

/** The filters of lists of runs. They are combined with AND. */
export const runFilters = {
  status: z.enum(runStatuses).optional().meta({ description: 'Only runs with this status. Default: all.' }),
  scheduledDate: localDate.optional().meta({ description: 'Only runs with this `scheduledDateLocal`. Default: all.' }),
  stalledForDays: wholeNumber(0, 36_500)
    .optional()
    .meta({ description: 'Only RUNNING and OVERDUE runs without activity for at least this many days.' }),
  archived: flag
    .default(false)
    .meta({ description: 'true: only archived runs. Default: false, only runs that are not archived.' }),
};

/** A line of the activity log of a run. Replaying all lines rebuilds the state of the run. */
export const activity = z
  .strictObject({
    id,
    sequence: z.int().meta({ description: 'Counts from 1 within the run, without gaps.' }),
    type: z.string().meta({ description: 'What happened, like `task.completed`.' }),
    at: z.iso.datetime(),
    actor: z.strictObject({
      type: z.enum(['API_KEY', 'USER', 'SYSTEM']),
      userId: id.nullable(),
      apiKeyId: id.nullable(),
    }),
    runTaskId: id.nullable(),
    data: z.record(z.string(), z.unknown()).meta({ description: 'The complete fact.' }),
  })
  .meta({ id: 'Activity' });

/** Runs: detailed and other operations (spec: Endpoints, Runs). */
export const runs = {
  list: {
    method: 'GET',
    path: '/runs',
    access: 'runs:read',
    summary: 'List runs, newest first',
    query: z.strictObject({
      ...runFilters,
      templateId: id.optional().meta({ description: 'Only runs of this template. Default: all.' }),
      ...paging,
    }),
    status: 200,
    response: page(runListItem),
  },
  launch: {
    method: 'POST',
    path: '/runs',
    access: 'runs:execute',
    summary: 'Launch a run of a published template',
    description:
      'Creates the tasks of the published version and emits `run.started`. Returns 400 if the template is archived or not published, ' +
      'and 403 if it is outside the resource scope of the API key.',
    body: launchOptions.extend({ templateId: id.meta({ description: 'The template to launch.' }) }),
    status: 201,
    response: launchedRun,
  },
  counts: {
    method: 'GET',
    path: '/runs/counts',
    access: 'runs:read',
    summary: 'Count runs by status',
    description: 'Archived runs are not counted.',
    query: z.strictObject({
      templateId: id.optional().meta({ description: 'Only runs of this template. Default: all.' }),
    }),
    status: 200,
    response: z.strictObject({ ...statusCounts(), total: z.int() }).meta({ id: 'RunCounts' }),
  },
  archive: {
    method: 'POST',
    path: '/runs/archive',
    access: 'runs:write',
    summary: 'Archive completed or cancelled runs',
    description:
      'All or none: returns 400 naming each run that is still active. Archived runs are left out of lists and counts and stay ' +
      'readable by id; reopening a run unarchives it.',
    body: z.strictObject({
      runIds: idList(1000).min(1, 'must contain at least one id').meta({ description: 'At most 1,000.' }),
    }),
    status: 200,
    response: z.strictObject({
      archived: z.int().meta({ description: 'Runs that were not archived before.' }),
      runIds: z.array(id),
    }),
  },
  get: {
    method: 'GET',
    path: '/runs/:id',
    access: 'runs:read',
    summary: 'Get a run with its tasks',
    status: 200,
    response: run,
  },
  update: {
    method: 'PATCH',
    path: '/runs/:id',
    access: 'runs:write',
    summary: 'Rename a run',
    description: 'Returns 400 unless the run is active.',
    body: z.strictObject({ title: title.meta({ description: 'The new title.' }) }),
    status: 200,
    response: run,
  },
  complete: {
    method: 'POST',
    path: '/runs/:id/complete',
    access: 'runs:write',
    summary: 'Complete a run',
    description:
      'Optional tasks may stay open. Returns 400 naming each required task that is open, or if the run is not active. Emits ' +
      '`run.completed`.',
    status: 200,
    response: run,
  },
  cancel: {
    method: 'POST',
    path: '/runs/:id/cancel',
    access: 'runs:write',
    summary: 'Cancel a run',
    description:
      'Tasks, entries and values stay as they are. Returns 400 unless the run is active. Emits `run.cancelled`.',
    status: 200,
    response: run,
  },
  reopen: {
    method: 'POST',
    path: '/runs/:id/reopen',
    access: 'runs:write',
    summary: 'Reopen a completed or cancelled run',
    description:
      'The run becomes RUNNING, or OVERDUE if a task is past its deadline, and is unarchived; its tasks stay as they are. Returns 400 ' +
      'if the run is active or its template was deleted. Emits `run.reopened`.',
    status: 200,
    response: run,
  },
  activity: {
    method: 'GET',
    path: '/runs/:id/activity',
    access: 'runs:read',
    summary: 'List the activity of a run, newest first',
    query: pageQuery,
    status: 200,
    response: page(activity),
  },
  variables: {
    method: 'GET',
    path: '/runs/:id/variables',
    access: 'runs:read',
    summary: 'List the flow variables of a run',
    query: pageQuery,
    status: 200,
    response: page(
      z
        .strictObject({ key: z.string(), value: variableValue, description: z.string().nullable() })
        .meta({ id: 'RunVariable' }),
    ),
  },
} as const satisfies Group;

function statusCounts() {
  return { RUNNING: z.int(), OVERDUE: z.int(), COMPLETED: z.int(), CANCELLED: z.int() } satisfies Record<
    RunStatus,
    z.ZodType
  >;
}
