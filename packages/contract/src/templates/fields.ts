import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { description, id, key, position, title } from '../values.ts';
import { field, fieldLookup, fieldOptions, fieldType } from './field-types.ts';
import { draftRejections } from './rejections.ts';

/** What a field is made of, as a client sends it. */
export const fieldDefinition = z.strictObject({
  label: title.describe('What people see.'),
  type: fieldType.describe('Determines the shape of the values; see FieldValue.'),
  required: z
    .boolean()
    .optional()
    .describe('Whether an entry can be completed only with a value for the field. New fields: false by default.'),
  key: key.optional().describe('Unique within the template. New fields: derived from the label by default.'),
  helpText: description.nullable().optional().describe('At most 2,000 characters. New fields: null by default.'),
  options: fieldOptions
    .optional()
    .describe(
      'At least one for DROPDOWN and MULTI_SELECT; not allowed for other types. An update replaces the whole list.',
    ),
  dataSource: fieldLookup
    .nullable()
    .optional()
    .describe(
      'Only for DATA_SOURCE, which takes no values without it. Its columns must exist; whether they fit the fields is checked when the ' +
        'template is published. An update replaces it as a whole. New fields: null by default.',
    ),
  searchable: z
    .boolean()
    .optional()
    .describe(
      'Whether runs can be found by the value of the field, once the template is published; see GET /runs/searchable-fields. Not for ' +
        'FILE_UPLOAD, SIGNATURE and IMAGE; at most 20 fields and flow variables of a template. New fields: false by default.',
    ),
});

/** Form fields of the tasks of a draft (spec: Templates). */
export const templateFields = {
  create: {
    method: 'POST',
    path: '/templates/:id/tasks/:taskId/fields',
    large: true,
    access: 'templates:write',
    summary: 'Add a field to the end of a task',
    description: 'A task has at most 100 fields, a template 2,000. Changes only the draft.',
    body: fieldDefinition.meta({ id: 'CreateField', description: 'A new field.' }),
    errors: draftRejections,
    status: 201,
    response: field,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/tasks/:taskId/fields/:fieldId',
    large: true,
    access: 'templates:write',
    summary: 'Update a field or move it within its task',
    description:
      'Properties that are left out do not change. A field that changes to a type without options loses its options. Changes only ' +
      'the draft.',
    body: fieldDefinition
      .partial()
      .extend({
        position: position.optional().describe('Counts from 0 within the task. Past the end means the end.'),
      })
      .meta({ id: 'UpdateField', description: 'Changes to a field.' }),
    errors: draftRejections,
    response: field,
  },
  move: {
    method: 'PATCH',
    path: '/templates/:id/tasks/:taskId/fields/:fieldId/move',
    large: true,
    access: 'templates:write',
    summary: 'Move a field to another task',
    description: 'The field keeps its id. Changes only the draft.',
    body: component('MoveField', 'Where a field moves to.', {
      targetTaskId: id.describe('A task of the same draft; its own task moves the field within it.'),
      position: position.optional().describe('Position in the target task, counts from 0. Default: the end.'),
    }),
    errors: draftRejections,
    response: field,
  },
  delete: {
    method: 'DELETE',
    path: '/templates/:id/tasks/:taskId/fields/:fieldId',
    large: true,
    access: 'templates:write',
    summary: 'Delete a field',
    description: 'Changes only the draft: published versions and their runs keep the field.',
    errors: draftRejections,
  },
} as const satisfies Group;
