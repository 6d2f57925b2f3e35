import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery, paging } from '../page.ts';
import { runTask } from './tasks.ts';
import { flag, id, idList, localDate, title, variableValue, wholeNumber } from '../values.ts';

/** RUNNING and OVERDUE are active, COMPLETED and CANCELLED terminal (spec: Run statuses). */
export const runStatuses = ['RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED'] as const;

/** The status of a run. */
export type RunStatus = (typeof runStatuses)[number];

const identity = {
  id,
  publicId: z.string().meta({ description: 'Short and for display only, like RUN-7K3M9Q.' }),
  title,
  status: z.enum(runStatuses),
  templateId: id,
};

/** A run as lists answer it. */
export const runListItem = z
  .strictObject({
    ...identity,
    ownerUserId: id,
    scheduledDateLocal: localDate,
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RunListItem' });

/** A run as its launch answers it. */
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

/** What a launch may say besides the template. */
export const launchOptions = z.strictObject({
  title: title.optional().meta({ description: "Default: the template's run-title pattern, else its name." }),
  scheduledDateLocal: localDate.optional().meta({ description: "Default: today in the organization's time zone." }),
  ownerEmail: z
    .email({ error: 'must be an email address' })
    .max(320)
    .optional()
    .meta({ description: "Default: the API key's creator." }),
  variables: z
    .record(z.string(), variableValue)
    .optional()
    .meta({ description: "Overrides of the template's flow variables, by key." }),
});

/** Filters every list of runs takes. */
export const runFilters = {
  status: z.enum(runStatuses).optional(),
  scheduledDate: localDate.optional(),
  stalledForDays: wholeNumber(0, 36_500)
    .optional()
    .meta({ description: 'Only active runs without activity for at least this many days.' }),
  archived: flag.default(false).meta({ description: 'true lists archived runs instead.' }),
};

/** One line of a run's activity log. `data` is the complete fact; replaying all lines rebuilds the run. */
export const activity = z
  .strictObject({
    id,
    sequence: z.int().meta({ description: 'Counts from 1 within the run.' }),
    type: z.string(),
    at: z.iso.datetime(),
    actor: z.strictObject({
      type: z.enum(['API_KEY', 'USER', 'SYSTEM']),
      userId: id.nullable(),
      apiKeyId: id.nullable(),
    }),
    runTaskId: id.nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Activity' });

/** Runs: detailed and other operations (spec: Endpoints, Runs). */
export const runs = {
  list: {
    method: 'GET',
    path: '/runs',
    access: 'runs:read',
    summary: 'List runs, newest first',
    query: z.strictObject({ ...runFilters, templateId: id.optional(), ...paging }),
    status: 200,
    response: page(runListItem),
  },
  launch: {
    method: 'POST',
    path: '/runs',
    access: 'runs:execute',
    summary: 'Launch a run of a published template',
    body: launchOptions.extend({ templateId: id }),
    status: 201,
    response: launchedRun,
  },
  counts: {
    method: 'GET',
    path: '/runs/counts',
    access: 'runs:read',
    summary: 'Count runs by status',
    query: z.strictObject({ templateId: id.optional() }),
    status: 200,
    response: z.strictObject({ ...statusCounts(), total: z.int() }).meta({ id: 'RunCounts' }),
  },
  archive: {
    method: 'POST',
    path: '/runs/archive',
    access: 'runs:write',
    summary: 'Archive completed or cancelled runs',
    description: 'All or nothing. An archived run leaves lists and counts; reopening it brings it back.',
    body: z.strictObject({ runIds: idList(1000).min(1, 'must list at least one id') }),
    status: 200,
    response: z.strictObject({ archived: z.int(), runIds: z.array(id) }),
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
    body: z.strictObject({ title }),
    status: 200,
    response: run,
  },
  complete: {
    method: 'POST',
    path: '/runs/:id/complete',
    access: 'runs:write',
    summary: 'Complete a run',
    description: 'Answers 400 naming every required task that is still open.',
    status: 200,
    response: run,
  },
  cancel: {
    method: 'POST',
    path: '/runs/:id/cancel',
    access: 'runs:write',
    summary: 'Cancel an active run',
    status: 200,
    response: run,
  },
  reopen: {
    method: 'POST',
    path: '/runs/:id/reopen',
    access: 'runs:write',
    summary: 'Reopen a completed or cancelled run',
    status: 200,
    response: run,
  },
  activity: {
    method: 'GET',
    path: '/runs/:id/activity',
    access: 'runs:read',
    summary: 'Activity log of a run, newest first',
    query: pageQuery,
    status: 200,
    response: page(activity),
  },
  variables: {
    method: 'GET',
    path: '/runs/:id/variables',
    access: 'runs:read',
    summary: 'Flow variable values of a run',
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
