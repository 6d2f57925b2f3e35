import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { description, duration, givenPartKey, id, idList, partKey, position, title } from '../values.ts';
import { taskApproval, taskApprovalSettings } from './approval-types.ts';
import { field } from './field-types.ts';
import { draftRejections } from './rejections.ts';
import { rule } from './rule-types.ts';

/** What the due date of a task counts from. */
const dueOrigins = ['LAUNCH', 'SCHEDULED_DATE', 'UNBLOCKED'] as const;

/** The origin of a due date on the wire. */
const dueOrigin = z.enum(dueOrigins).meta({ id: 'DueOrigin', description: 'What the due date of a task counts from.' });

/** When a task is due: `offset` after `from`. */
const dueRule = component('DueRule', 'When a task is due.', {
  from: dueOrigin.describe(
    'LAUNCH: the launch of the run. SCHEDULED_DATE: the start of the scheduled date. UNBLOCKED: when the task is no longer ' +
      'blocked; the launch for a task without dependencies.',
  ),
  offset: duration.describe('ISO 8601 duration, like `P3D` or `PT12H`.'),
  hasTime: z.boolean().optional().meta({
    description: "false: due at the end of the day in the organization's time zone. Default: true.",
    default: true,
  }),
  remindBefore: duration
    .optional()
    .describe(
      'How long before the deadline the reminder (`task.due_soon`) is due, as an ISO 8601 duration like `P2D`; `PT0S` for none. ' +
        'Default: `remindBefore` of the organization.',
    ),
});

/** A task of a template. */
export const task = component('Task', 'A task of a template.', {
  id: id.describe('Id of the task, stable across versions; `taskId` in runs.'),
  key: partKey,
  position: z.int().min(0).describe('Counts from 0 over the whole template.'),
  title: title.describe('What people see.'),
  description: description.nullable().describe('Instructions for people who do the task; null for none.'),
  phaseId: id.nullable().describe('The phase that contains the task; null for a task without one.'),
  required: z.boolean().describe('Whether a run completes only after the task is completed.'),
  repeatable: z.boolean().describe('Whether the form can be filled in several times in one run.'),
  assigneeId: id.nullable().describe('The member that the task is assigned to in new runs; null for none.'),
  assigneeGroupId: id.nullable().describe('The group that the task is assigned to in new runs; null for none.'),
  due: dueRule.nullable().describe('When the task is due in a new run; null for no deadline.'),
  approval: taskApproval.nullable().describe('Who has to approve the form; null for no approval.'),
  fields: z.array(field).describe('The fields of its form, by position.'),
  rules: z.array(rule).describe('Conditional-logic rules, in order.'),
  dependencies: z.array(id).describe('Ids of the tasks that must be completed first.'),
});

const properties = {
  title: title.describe('What people see.'),
  description: description.nullable().describe('At most 2,000 characters. New tasks: null by default.'),
  phaseId: id.nullable().describe('A phase of the draft. New tasks: null by default.'),
  required: z
    .boolean()
    .describe('Whether a run completes only after the task is completed. New tasks: true by default.'),
  repeatable: z
    .boolean()
    .describe('Whether the form can be filled in several times in one run. New tasks: false by default.'),
  assigneeId: id
    .nullable()
    .describe('An active member whose role is not VIEWER. Excludes `assigneeGroupId`. New tasks: null by default.'),
  assigneeGroupId: id.nullable().describe('A group. Excludes `assigneeId`. New tasks: null by default.'),
  due: dueRule.nullable().describe('When the task is due in a new run. New tasks: null by default, no deadline.'),
  approval: taskApprovalSettings
    .nullable()
    .describe(
      'Who has to approve the form before the task can be completed. Replaces the approval as a whole. Not possible for repeatable tasks. ' +
        'New tasks: null by default, no approval.',
    ),
};

/** What a task is made of, without its form, as a client sends it. */
export const taskDefinition = z
  .strictObject(properties)
  .partial()
  .extend({ key: givenPartKey, title: properties.title });

const changes = z
  .strictObject({
    key: givenPartKey,
    ...properties,
    position: position.describe('Counts from 0 over the whole template. Past the end means the end.'),
  })
  .partial();

const taskList = component('TaskList', 'Tasks of a draft.', {
  data: z.array(task).describe('The tasks, in the order of the request.'),
});

const taskIds = idList(500).min(1, 'must contain at least one id').describe('Tasks of the draft, at most 500.');

/** Tasks of the draft of a template (spec: Templates). */
export const templateTasks = {
  list: {
    method: 'GET',
    path: '/templates/:id/tasks',
    large: true,
    access: 'templates:read',
    summary: 'List the tasks of the draft in order',
    query: pageQuery,
    response: page(task),
  },
  create: {
    method: 'POST',
    path: '/templates/:id/tasks',
    large: true,
    access: 'templates:write',
    summary: 'Add a task at the end',
    description: 'A template has at most 500 tasks. Changes only the draft.',
    body: taskDefinition.meta({ id: 'CreateTask', description: 'A new task.' }),
    errors: draftRejections,
    status: 201,
    response: task,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/tasks/:taskId',
    large: true,
    access: 'templates:write',
    summary: 'Update or move a task',
    description: 'Properties that are left out do not change. Changes only the draft.',
    body: changes.meta({ id: 'UpdateTask', description: 'Changes to a task.' }),
    errors: draftRejections,
    response: task,
  },
  delete: {
    method: 'DELETE',
    path: '/templates/:id/tasks/:taskId',
    large: true,
    access: 'templates:write',
    summary: 'Delete a task and its fields',
    description: 'Changes only the draft: published versions and their runs keep the task.',
    errors: draftRejections,
  },
  bulkDelete: {
    method: 'POST',
    path: '/templates/:id/tasks/bulk-delete',
    large: true,
    access: 'templates:write',
    summary: 'Delete several tasks and their fields',
    description: 'All or none: returns 400 if an id is unknown. Changes only the draft.',
    body: component('DeleteTasks', 'The tasks to delete.', { taskIds }),
    errors: draftRejections,
  },
  bulkDuplicate: {
    method: 'POST',
    path: '/templates/:id/tasks/bulk-duplicate',
    large: true,
    access: 'templates:write',
    summary: 'Duplicate several tasks and their fields',
    description:
      'Inserts each copy after its original, with new ids and field keys and " (copy)" in its title. Returns the copies in the ' +
      'order of `taskIds`. All or none: returns 400 if an id is unknown.',
    body: component('DuplicateTasks', 'The tasks to duplicate.', { taskIds }),
    errors: draftRejections,
    status: 201,
    response: taskList,
  },
  bulkUpdate: {
    method: 'PATCH',
    path: '/templates/:id/tasks/bulk-update',
    large: true,
    access: 'templates:write',
    summary: 'Apply the same changes to several tasks',
    description:
      'Returns the tasks in the order of `taskIds`. All or none: returns 400 if an id is unknown or a change is invalid. Changes ' +
      'only the draft.',
    body: component('UpdateTasks', 'Changes to several tasks.', {
      taskIds,
      changes: z
        .strictObject(properties)
        .partial()
        .meta({ id: 'TaskChanges', description: 'Properties that are left out do not change.' }),
    }),
    errors: draftRejections,
    response: taskList,
  },
} as const satisfies Group;
