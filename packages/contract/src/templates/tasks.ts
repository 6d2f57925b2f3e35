import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { field } from './field-types.ts';
import { page, pageQuery } from '../page.ts';
import { description, duration, id, idList, title } from '../values.ts';

/** What a relative due date counts from. */
export const dueOrigins = ['LAUNCH', 'SCHEDULED_DATE', 'UNBLOCKED'] as const;

/** When a task falls due: `offset` (ISO 8601 duration) after `from`. */
export const dueRule = z
  .strictObject({
    from: z.enum(dueOrigins),
    offset: duration,
    hasTime: z.boolean().optional().meta({
      description: "false: due at the end of that day in the organization's time zone. Default: true.",
    }),
  })
  .meta({ id: 'DueRule' });

/** A task of a template, as reads answer it. */
export const task = z
  .strictObject({
    id,
    position: z.int(),
    title,
    description: description.nullable(),
    phaseId: id.nullable(),
    required: z.boolean(),
    repeatable: z.boolean(),
    assigneeId: id.nullable(),
    assigneeGroupId: id.nullable(),
    due: dueRule.nullable(),
    fields: z.array(field),
    rules: z.array(z.never()).meta({ description: 'Conditional-logic rules, in order.' }),
    dependencies: z.array(id).meta({ description: 'Tasks that must be completed first.' }),
  })
  .meta({ id: 'Task' });

const properties = {
  title,
  description: description.nullable(),
  phaseId: id.nullable(),
  required: z.boolean(),
  repeatable: z.boolean(),
  assigneeId: id.nullable(),
  assigneeGroupId: id.nullable(),
  due: dueRule.nullable(),
};

const changes = z.strictObject({ ...properties, position: z.int().min(0) }).partial();

/** Tasks of a template's draft (spec: Templates). `position` counts from 0 over the whole template. */
export const templateTasks = {
  list: {
    method: 'GET',
    path: '/templates/:id/tasks',
    access: 'templates:read',
    summary: 'List the tasks of the draft in their order',
    query: pageQuery,
    status: 200,
    response: page(task),
  },
  create: {
    method: 'POST',
    path: '/templates/:id/tasks',
    access: 'templates:write',
    summary: 'Add a task at the end',
    body: z.strictObject(properties).partial().required({ title: true }),
    status: 201,
    response: task,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/tasks/:taskId',
    access: 'templates:write',
    summary: 'Update or move a task',
    body: changes,
    status: 200,
    response: task,
  },
  remove: {
    method: 'DELETE',
    path: '/templates/:id/tasks/:taskId',
    access: 'templates:write',
    summary: 'Delete a task with its fields',
    status: 204,
  },
  bulkDelete: {
    method: 'POST',
    path: '/templates/:id/tasks/bulk-delete',
    access: 'templates:write',
    summary: 'Delete several tasks, all or none',
    body: z.strictObject({ taskIds: idList(500).min(1, 'must list at least one id') }),
    status: 204,
  },
  bulkDuplicate: {
    method: 'POST',
    path: '/templates/:id/tasks/bulk-duplicate',
    access: 'templates:write',
    summary: 'Copy several tasks, each behind its original',
    body: z.strictObject({ taskIds: idList(500).min(1, 'must list at least one id') }),
    status: 201,
    response: z.strictObject({ data: z.array(task) }),
  },
  bulkUpdate: {
    method: 'PATCH',
    path: '/templates/:id/tasks/bulk-update',
    access: 'templates:write',
    summary: 'Make the same change to several tasks, all or none',
    body: z.strictObject({
      taskIds: idList(500).min(1, 'must list at least one id'),
      changes: z.strictObject(properties).partial(),
    }),
    status: 200,
    response: z.strictObject({ data: z.array(task) }),
  },
} as const satisfies Group;
