import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { errorCode } from '../error-codes.ts';
import { id, idList, timestamp } from '../values.ts';
import { statusRejections } from './rejections.ts';
import { launchedRun, launchOptions } from './run.ts';
import { directTaskStatus } from './tasks.ts';

const maximum = 500;

/** The tasks of all runs that one request can launch. */
export const maximumLaunchedTasks = 20_000;

/** Loading or writing hundreds of runs, which can have 500 tasks each. */
const bulk = { large: true, timeBudgetMs: 60_000 } as const;

const launchResult = component('LaunchResult', 'The result of one launch of several.', {
  index: z.int().min(0).describe('Position of the launch in `runs`; counts from 0.'),
  status: z.enum(['CREATED', 'REJECTED']).meta({ id: 'LaunchStatus', description: 'Whether the run was launched.' }),
  run: launchedRun.optional().describe('The run; only if it was launched.'),
  message: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Why it was rejected, as the `message` of an error of `POST /runs`; only if it was rejected.'),
  code: errorCode.optional().describe('The `code` of that error of `POST /runs`; only if it was rejected.'),
});

/** Launches of several runs at once. Part of the group `runs`. */
export const runBulk = {
  bulkLaunch: {
    method: 'POST',
    path: '/runs/bulk',
    ...bulk,
    access: 'runs:execute',
    summary: 'Launch several runs, of one or several templates',
    description:
      'Each launch is accepted or rejected on its own, as by `POST /runs`, and emits its own `run.started`. Returns 404 if a template does ' +
      'not exist, 403 if one is outside the resource scope of the API key, and 400 if the runs would have more than 20,000 tasks; then ' +
      'nothing is launched. With an `Idempotency-Key`, a repetition launches nothing again.',
    body: component('BulkLaunch', 'The runs to launch.', {
      runs: z
        .array(
          launchOptions
            .extend({ templateId: id.describe('The template to launch.') })
            .meta({ id: 'BulkLaunchItem', description: 'The template to launch, and options of the launch.' }),
        )
        .min(1, 'must contain at least one launch')
        .max(maximum, `must contain at most ${maximum} launches`)
        .describe(`The launches; at most ${maximum}.`),
    }),
    errors: ['not_found', 'changed_meanwhile'],
    response: component('BulkLaunchResult', 'The results of several launches.', {
      created: z.int().min(0).describe('Runs that were launched.'),
      rejected: z.int().min(0).describe('Launches that were rejected.'),
      results: z.array(launchResult).describe('One result per launch, in the order of the request.'),
    }),
  },
} as const satisfies Group;

/** Changes to several tasks at once. Part of the group `runs.tasks`. */
export const taskBulk = {
  bulkUpdate: {
    method: 'PATCH',
    path: '/runs/tasks/bulk',
    ...bulk,
    access: 'runs:write',
    summary: 'Change the status, assignee or deadline of several tasks',
    description:
      'All or none: returns 400 naming each task that cannot be changed. The tasks may belong to several runs. Properties have the same ' +
      'meaning as in the endpoints of one task, and those that are left out do not change. Within a run, optional tasks are completed first.',
    body: z
      .strictObject({
        taskIds: idList(maximum)
          .min(1, 'must contain at least one id')
          .describe(`Ids of run tasks; at most ${maximum}.`),
        status: directTaskStatus.optional().describe('COMPLETED skips the form of the tasks.'),
        assigneeId: id
          .nullable()
          .optional()
          .describe('An active member whose role is not VIEWER; null removes the user.'),
        assigneeGroupId: id.nullable().optional().describe('A group; null removes the group.'),
        dueAt: timestamp.nullable().optional().describe('null clears the deadline.'),
        dueAtHasTime: z
          .boolean()
          .optional()
          .describe('Only with `dueAt`. Default: unchanged; true for a task without a deadline.'),
      })
      .refine(
        ({ taskIds: _, dueAtHasTime: _d, ...changes }) => Object.values(changes).some((value) => value !== undefined),
        {
          message: 'must contain at least one of status, assigneeId, assigneeGroupId and dueAt',
        },
      )
      .refine(({ dueAt, dueAtHasTime }) => dueAt !== undefined || dueAtHasTime === undefined, {
        path: ['dueAtHasTime'],
        message: 'allowed only with dueAt; send dueAt too',
      })
      .refine(({ assigneeId, assigneeGroupId }) => assigneeId == null || assigneeGroupId == null, {
        message: 'must not contain both assigneeId and assigneeGroupId; send null for one of them',
      })
      .meta({ id: 'BulkUpdateTasks', description: 'Tasks and how to change them.' }),
    errors: ['not_found', ...statusRejections],
    response: component('BulkUpdatedTasks', 'The tasks that were changed.', {
      taskIds: z.array(id).describe('The tasks of the request; all of them are changed.'),
    }),
  },
} as const satisfies Group;
