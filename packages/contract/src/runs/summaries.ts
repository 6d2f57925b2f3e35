import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { fieldType, fieldValue } from '../templates/field-types.ts';
import { id, title } from '../values.ts';
import { taskStatus } from './tasks.ts';

const taskSummary = component('TaskSummary', 'A task of a run with the newest values of its fields.', {
  runTaskId: id.describe('Id of the task in this run.'),
  taskId: id.describe('Id of the task in the template.'),
  title: z.string().describe('Title of the task.'),
  status: taskStatus.describe('Status of the task.'),
  completedAt: z.iso.datetime().nullable().describe('When it was completed; null unless it is.'),
  completedByUserId: id.nullable().describe('The member who completed it; null unless it is completed.'),
  fields: z
    .array(
      component('FieldSummary', 'A field of a task and its newest value.', {
        runTaskFieldId: id.describe('Id of the field.'),
        label: title.describe('Label of the field.'),
        type: fieldType.describe('Type of the field; determines the shape of the value.'),
        value: fieldValue.describe('The newest value; null if the field has none.'),
        displayValue: z
          .string()
          .nullable()
          .describe(
            'The value as people read it: options by label, members, files and rows by name, dates written out; null if it is empty.',
          ),
        submittedAt: z.iso.datetime().nullable().describe('When it was submitted; null if it was not.'),
        submittedByUserId: id.nullable().describe('Who submitted it; null if nobody did.'),
      }),
    )
    .describe('Its visible fields, in the order of the form.'),
});

/** What was entered in a run. Part of the group `runs`. */
export const runSummaries = {
  summaries: {
    method: 'GET',
    path: '/runs/:id/summaries',
    large: true,
    access: 'runs:read',
    summary: 'List the visible tasks of a run with their values',
    description:
      'By position. A field has the value of the newest entry in which it was submitted, open or completed, which is also the value that ' +
      'rules read; so the fields of a repeatable task may come from different entries. For the values of every entry, use `GET /runs/:id` ' +
      'with `include=fieldValues`.',
    query: pageQuery,
    response: page(taskSummary),
  },
} as const satisfies Group;
