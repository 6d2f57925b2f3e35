import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { boundedPage, boundedPaging } from '../page.ts';
import { queryList } from '../values.ts';
import { taskFilters, taskListItem } from './task-list.ts';
import { taskStatus } from './tasks.ts';

/** Why a task is in the list of the tasks of the caller. */
export const taskReasons = ['ASSIGNED', 'GROUP', 'APPROVAL'] as const;

/** Why a task is in the list of the tasks of the caller. */
export type TaskReason = (typeof taskReasons)[number];

const taskReason = z.enum(taskReasons).meta({
  id: 'TaskReason',
  description:
    'Why a task is one of the caller. ASSIGNED: it is assigned to the member. GROUP: it is assigned to a group of the member. APPROVAL: the member ' +
    'may decide on its approval, which waits for the member, for a group of the member, or for anyone.',
});

/** When tasks are due, in the order of lists. */
export const dueBuckets = ['OVERDUE', 'TODAY', 'THIS_WEEK', 'LATER', 'NONE'] as const;

/** When a task is due. */
export type DueBucket = (typeof dueBuckets)[number];

const dueBucket = z.enum(dueBuckets).meta({
  id: 'DueBucket',
  description:
    "When a task is due, in the organization's time zone. OVERDUE: its deadline has passed. TODAY: later today. THIS_WEEK: after today, " +
    'until Sunday. LATER: after Sunday. NONE: it has no deadline.',
});

const myTask = taskListItem
  .extend({
    reasons: z.array(taskReason).describe('Why it is a task of the caller; at least one.'),
    due: dueBucket.describe('When it is due.'),
  })
  .meta({ id: 'MyTask', description: 'A task of the caller.' });

const { dueAfter, dueBefore, templateId, values } = taskFilters;
const openStatus = taskStatus.exclude(['COMPLETED']).meta({
  id: 'OpenTaskStatus',
  description: 'The status of an open task. BLOCKED: waits for other tasks. PENDING_APPROVAL: waits for approvers.',
});

const filters = {
  reason: queryList(z.array(taskReason))
    .optional()
    .describe('Only tasks with one of these reasons; repeat it or separate them by commas. Default: all.'),
  due: dueBucket.optional().describe('Only tasks that are due then. Default: all.'),
  status: queryList(z.array(openStatus))
    .optional()
    .describe('Only tasks with one of these statuses; repeat it or separate them by commas. Default: all.'),
  dueAfter,
  dueBefore,
  templateId,
  values,
};

const count = (tasks: string) => z.int().min(0).describe(`Tasks ${tasks}.`);

const myTaskCounts = component('MyTaskCounts', 'Numbers of tasks of the caller.', {
  total: z.int().min(0).describe('All tasks that match; each counts once.'),
  byDue: component('TaskCountsByDue', 'Numbers of tasks by when they are due.', {
    OVERDUE: count('whose deadline has passed'),
    TODAY: count('due later today'),
    THIS_WEEK: count('due after today, until Sunday'),
    LATER: count('due after Sunday'),
    NONE: count('without a deadline'),
  } satisfies Record<DueBucket, z.ZodType>),
  byReason: component('TaskCountsByReason', 'Numbers of tasks by reason; a task with two reasons counts twice.', {
    ASSIGNED: count('that are assigned to the member'),
    GROUP: count('that are assigned to a group of the member'),
    APPROVAL: count('that wait for the approval of the member'),
  } satisfies Record<TaskReason, z.ZodType>),
});

/** The open tasks of the caller. They are declared here because they are tasks of runs. */
export const myTasks = {
  list: {
    method: 'GET',
    path: '/me/tasks',
    access: 'runs:read',
    guests: true,
    reads: 'replica-on-request',
    summary: 'List the open tasks of the caller, by deadline',
    description:
      'Returns the visible, open tasks of active runs that are assigned to the member, assigned to a group of the member, or waiting for the ' +
      'approval of the member: each once, the earliest deadline first and tasks without a deadline last. The member of an API key is its creator.',
    query: z.strictObject({ ...filters, ...boundedPaging }),
    errors: ['not_found'],
    response: boundedPage(myTask),
  },
  counts: {
    method: 'GET',
    path: '/me/tasks/counts',
    access: 'runs:read',
    guests: true,
    reads: 'replica-on-request',
    summary: 'Count the open tasks of the caller',
    description: 'Takes the filters of `GET /me/tasks`; `total` is the total of that list.',
    query: z.strictObject(filters),
    errors: ['not_found'],
    response: myTaskCounts,
  },
} as const satisfies Group;
