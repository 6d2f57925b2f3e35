import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { boundedPage, boundedPaging } from '../page.ts';
import { flag, id, queryList, timestamp } from '../values.ts';
import { runStatus } from './run.ts';
import { runTask, taskStatus } from './tasks.ts';
import { valueFiltersQuery } from './value-filters.ts';

/** A task in a list over several runs. */
export const taskListItem = runTask
  .extend({
    runId: id.describe('The run that the task belongs to.'),
    runTitle: z.string().describe('Title of the run.'),
    runPublicId: z.string().describe('Short id of the run for display.'),
    runStatus: runStatus.describe('Status of the run.'),
    templateId: id.describe('The template that the run was launched from.'),
  })
  .meta({ id: 'TaskListItem', description: 'A task in a list over several runs.' });

/** The filters of the list of tasks. They are combined with AND. */
export const taskFilters = {
  assigneeId: id
    .or(z.literal('me'))
    .optional()
    .describe(
      'Only tasks that are assigned to this member directly, not through a group. `me`: the member who calls; for an API key, its ' +
        'creator. Default: all.',
    ),
  assigneeGroupId: id.optional().describe('Only tasks that are assigned to this group. Default: all.'),
  status: queryList(z.array(taskStatus))
    .optional()
    .describe('Only tasks with one of these statuses; repeat it or separate them by commas. Default: all.'),
  dueAfter: timestamp.optional().describe('Only tasks whose `deadlineAt` is this timestamp or later. Default: all.'),
  dueBefore: timestamp
    .optional()
    .describe('Only tasks whose `deadlineAt` is earlier than this timestamp. Default: all.'),
  overdue: flag
    .optional()
    .describe('true: only open tasks whose deadline has passed; false: only the other tasks. Default: all.'),
  templateId: id
    .optional()
    .describe('Only tasks of runs of this template; 404 or 403 if the caller cannot use it. Default: all.'),
  values: valueFiltersQuery,
  runId: id
    .optional()
    .describe(
      'Only tasks of this run, whatever its status; 404 or 403 if the caller cannot use it. Default: all active runs.',
    ),
};

/** Tasks over several runs. Part of the group `runs.tasks`. */
export const taskList = {
  list: {
    method: 'GET',
    path: '/runs/tasks',
    access: 'runs:read',
    reads: 'replica-on-request',
    summary: 'List tasks of all runs, by deadline',
    description:
      'Returns the visible tasks of active runs that are not archived, the earliest deadline first and tasks without a deadline last.',
    query: z.strictObject({ ...taskFilters, ...boundedPaging }),
    errors: ['not_found'],
    response: boundedPage(taskListItem),
  },
  get: {
    method: 'GET',
    path: '/runs/tasks/:taskId',
    access: 'runs:read',
    guests: true,
    summary: 'Get a task of a run',
    description: '`taskId` is a `runTaskId`. Also returns hidden tasks and tasks of runs that have ended.',
    response: taskListItem,
  },
} as const satisfies Group;
