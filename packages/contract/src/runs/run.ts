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
  id: id.describe('Id of the run, as used in URLs.'),
  publicId: z
    .string()
    .regex(/^RUN-[2-9A-HJKMNP-Z]{8}$/)
    .describe('Short id for display, like `RUN-7K3M9QXD`; not accepted in URLs.'),
  title: title.describe('Title of the run.'),
  status: runStatus.describe('RUNNING and OVERDUE runs are active; COMPLETED and CANCELLED ones can be reopened.'),
  templateId: id.describe('The template that the run was launched from.'),
};

const launched = {
  templateVersionId: id.describe('The version of the template that the run follows.'),
  ownerUserId: id.describe('The member who owns the run.'),
  createdAt: z.iso.datetime().describe('When the run was launched.'),
};

const schedule = {
  scheduledDateLocal: localDate.describe("The day the run is planned for, in the organization's time zone."),
};

const progress = {
  completedAt: z.iso.datetime().nullable().describe('When the run was completed; null unless its status is COMPLETED.'),
  cancelledAt: z.iso.datetime().nullable().describe('When the run was cancelled; null unless its status is CANCELLED.'),
  archivedAt: z.iso.datetime().nullable().describe('When the run was archived; null unless it is archived.'),
  updatedAt: z.iso.datetime().describe('When the run, a task or a value last changed, also by a deadline that passed.'),
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
  rulesVersionId: id
    .nullable()
    .describe(
      'The later version of the template whose rules the run uses; null if it uses the rules of `templateVersionId`.',
    ),
  version,
  activityHash: hash.describe('Hash of the newest line of its activity, which depends on all lines before it.'),
  variables: z
    .record(z.string(), variableValue)
    .describe('Values of the flow variables by key; see `GET /runs/:id/variables` for descriptions.'),
  tasks: z
    .array(
      runTask
        .extend({
          entries: z
            .array(entry)
            .optional()
            .describe('Entries with their values, newest first; only with `include=fieldValues`.'),
        })
        .meta({ id: 'RunTask', description: 'A task of a run.' }),
    )
    .describe('Its tasks, by position; hidden ones too.'),
});

/** Options of a launch. null is the same as leaving an option out. */
export const launchOptions = z.strictObject({
  title: title.nullish().describe("Default: the template's `runTitlePattern`, otherwise its name."),
  scheduledDateLocal: localDate.nullish().describe("Default: today in the organization's time zone."),
  ownerEmail: z
    .email({ error: 'must be an email address' })
    .max(320, 'must be at most 320 characters')
    .nullish()
    .describe('Email address of the active member who owns the run. Default: the caller; for an API key, its creator.'),
  variables: z
    .record(z.string(), variableValue)
    .nullish()
    .describe(
      'Values of flow variables by key. Default: their default values. Unknown keys, values of another type, and ' +
        'required flow variables without a value are rejected with 400.',
    ),
});

/** A line of the activity log of a run. Replaying all lines rebuilds the state of the run. */
export const activity = component('Activity', 'A line of the activity log of a run.', {
  id: id.describe('Id of the line.'),
  sequence: z.int().min(1).describe('Counts from 1 within the run, without gaps.'),
  type: z.string().describe('What happened, like `task.completed`.'),
  at: z.iso.datetime().describe('When it happened.'),
  actor,
  runTaskId: id.nullable().describe('The task it concerns; null if it concerns the run.'),
  data: z.record(z.string(), z.unknown()).describe('The complete fact.'),
  hash: hash.describe(
    'SHA-256 over the hash of the line before (64 zeros for the first), a line feed, and this line without `hash` in canonical JSON (RFC 8785).',
  ),
});

/** Numbers of runs by status. */
export const runCounts = component('RunCounts', 'Numbers of runs by status.', {
  ...statusCounts(),
  total: z.int().min(0).describe('Runs of all statuses.'),
});

/** A flow variable of a run. */
export const runVariable = component('RunVariable', 'A flow variable of a run.', {
  key: z.string().describe('Key of the variable.'),
  value: variableValue.describe('Its value in this run.'),
  description: z.string().nullable().describe('Its description in the template; null if it has none.'),
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
  return z.int().min(0).describe(`Runs that are ${runs}.`);
}
