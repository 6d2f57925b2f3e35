import { z } from 'zod';
import { actor } from '../actor.ts';
import { component } from '../component.ts';
import { boundedPage } from '../page.ts';
import { id, localDate, title, variableValue, version } from '../values.ts';
import { entry } from './entry.ts';
import { runTask } from './tasks.ts';

/** RUNNING and OVERDUE are active; COMPLETED and CANCELLED are terminal (spec: Run statuses). */
export const runStatuses = ['RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED'] as const;

/** The status of a run. */
export type RunStatus = (typeof runStatuses)[number];

/** The status of a run on the wire. */
export const runStatus = z.enum(runStatuses).meta({
  id: 'RunStatus',
  description: 'The status of a run; RUNNING and OVERDUE runs are active. OVERDUE: an open task is past its deadline.',
});

/** SHA-256 as lowercase hexadecimal. */
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const identity = {
  id: id.meta({ description: 'Id of the run, as used in URLs.' }),
  publicId: z
    .string()
    .regex(/^RUN-[2-9A-HJKMNP-Z]{8}$/)
    .meta({ description: 'Short id for display, like `RUN-7K3M9QXD`; not accepted in URLs.' }),
  title: title.meta({ description: 'Title of the run.' }),
  status: runStatus.meta({
    description: 'RUNNING and OVERDUE runs are active; COMPLETED and CANCELLED ones can be reopened.',
  }),
  templateId: id.meta({ description: 'The template that the run was launched from.' }),
};

const launched = {
  templateVersionId: id.meta({ description: 'The version of the template that the run follows.' }),
  ownerUserId: id.meta({ description: 'The member who owns the run.' }),
  createdAt: z.iso.datetime().meta({ description: 'When the run was launched.' }),
};

const schedule = {
  scheduledDateLocal: localDate.meta({
    description: "The day the run is planned for, in the organization's time zone.",
  }),
};

const progress = {
  completedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the run was completed; null unless its status is COMPLETED.' }),
  cancelledAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the run was cancelled; null unless its status is CANCELLED.' }),
  archivedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the run was archived; null unless it is archived.' }),
  updatedAt: z.iso.datetime().meta({
    description: 'When the run, a task or a value last changed, also by a deadline that passed.',
  }),
};

/** A run in a list. It has no `templateVersionId` (spec: Run). */
const runListItem = component('RunListItem', 'A run as it appears in lists.', {
  ...identity,
  ownerUserId: launched.ownerUserId,
  ...schedule,
  createdAt: launched.createdAt,
  ...progress,
});

/** A page of runs. */
export const runPage = boundedPage(runListItem, 'RunPage');

/** A run as its launch returns it. */
export const launchedRun = component('LaunchedRun', 'A run as its launch returns it.', { ...identity, ...launched });

/** A run with its tasks. */
export const run = component('Run', 'A run with its tasks.', {
  ...identity,
  ...launched,
  ...schedule,
  ...progress,
  rulesVersionId: id.nullable().meta({
    description:
      'The later version of the template whose rules the run uses; null if it uses the rules of `templateVersionId`.',
  }),
  version,
  activityHash: hash.meta({
    description: 'Hash of the newest line of its activity, which depends on all lines before it.',
  }),
  variables: z
    .record(z.string(), variableValue)
    .meta({ description: 'Values of the flow variables by key; see `GET /runs/:id/variables` for descriptions.' }),
  tasks: z
    .array(
      runTask
        .extend({
          entries: z
            .array(entry)
            .optional()
            .meta({ description: 'Entries with their values, newest first; only with `include=fieldValues`.' }),
        })
        .meta({ id: 'RunTask', description: 'A task of a run.' }),
    )
    .meta({ description: 'Its tasks, by position; hidden ones too.' }),
});

/** Options of a launch. null is the same as leaving an option out. */
export const launchOptions = z.strictObject({
  title: title.nullish().meta({ description: "Default: the template's `runTitlePattern`, otherwise its name." }),
  scheduledDateLocal: localDate.nullish().meta({ description: "Default: today in the organization's time zone." }),
  ownerEmail: z.email({ error: 'must be an email address' }).max(320, 'must be at most 320 characters').nullish().meta({
    description:
      'Email address of the active member who owns the run. Default: the caller; for an API key, its creator.',
  }),
  variables: z
    .record(z.string(), variableValue)
    .nullish()
    .meta({
      description:
        'Values of flow variables by key. Default: their default values. Unknown keys, values of another type, and ' +
        'required flow variables without a value are rejected with 400.',
    }),
});

/** A line of the activity log of a run. Replaying all lines rebuilds the state of the run. */
export const activity = component('Activity', 'A line of the activity log of a run.', {
  id: id.meta({ description: 'Id of the line.' }),
  sequence: z.int().min(1).meta({ description: 'Counts from 1 within the run, without gaps.' }),
  type: z.string().meta({ description: 'What happened, like `task.completed`.' }),
  at: z.iso.datetime().meta({ description: 'When it happened.' }),
  actor,
  runTaskId: id.nullable().meta({ description: 'The task it concerns; null if it concerns the run.' }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The complete fact.' }),
  hash: hash.meta({
    description:
      'SHA-256 over the hash of the line before (64 zeros for the first), a line feed, and this line without `hash` in canonical JSON (RFC 8785).',
  }),
});

/** Numbers of runs by status. */
export const runCounts = component('RunCounts', 'Numbers of runs by status.', {
  ...statusCounts(),
  total: z.int().min(0).meta({ description: 'Runs of all statuses.' }),
});

/** A flow variable of a run. */
export const runVariable = component('RunVariable', 'A flow variable of a run.', {
  key: z.string().meta({ description: 'Key of the variable.' }),
  value: variableValue.meta({ description: 'Its value in this run.' }),
  description: z.string().nullable().meta({ description: 'Its description in the template; null if it has none.' }),
});

/** Properties with the number of runs of each status. */
export function statusCounts() {
  return {
    RUNNING: countOf('running and not overdue'),
    OVERDUE: countOf('past a deadline'),
    COMPLETED: countOf('completed'),
    CANCELLED: countOf('cancelled'),
  } satisfies Record<RunStatus, z.ZodType>;
}

function countOf(runs: string) {
  return z
    .int()
    .min(0)
    .meta({ description: `Runs that are ${runs}.` });
}
