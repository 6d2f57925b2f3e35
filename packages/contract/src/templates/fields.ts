import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { field, fieldOptions, fieldTypes } from './field-types.ts';
import { description, id, key, title } from '../values.ts';

const definition = z.strictObject({
  label: title,
  type: z.enum(fieldTypes),
  required: z.boolean().optional().meta({ description: 'Default: false.' }),
  key: key.optional().meta({ description: 'Unique within the template. Default: made from the label.' }),
  helpText: description.nullable().optional(),
  options: fieldOptions
    .optional()
    .meta({ description: 'Only for DROPDOWN and MULTI_SELECT, which need at least one.' }),
});

/** Form fields of a draft's tasks (spec: Templates). */
export const templateFields = {
  create: {
    method: 'POST',
    path: '/templates/:id/tasks/:taskId/fields',
    access: 'templates:write',
    summary: 'Add a field at the end of a task',
    body: definition,
    status: 201,
    response: field,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/tasks/:taskId/fields/:fieldId',
    access: 'templates:write',
    summary: 'Update a field, or move it within its task',
    body: definition.partial().extend({ position: z.int().min(0).optional() }),
    status: 200,
    response: field,
  },
  move: {
    method: 'PATCH',
    path: '/templates/:id/tasks/:taskId/fields/:fieldId/move',
    access: 'templates:write',
    summary: 'Move a field to another task',
    body: z.strictObject({
      targetTaskId: id,
      position: z.int().min(0).optional().meta({ description: 'Default: the end.' }),
    }),
    status: 200,
    response: field,
  },
  remove: {
    method: 'DELETE',
    path: '/templates/:id/tasks/:taskId/fields/:fieldId',
    access: 'templates:write',
    summary: 'Delete a field',
    status: 204,
  },
} as const satisfies Group;
