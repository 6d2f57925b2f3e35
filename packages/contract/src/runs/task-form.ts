import { z } from 'zod';
import { component } from '../component.ts';
import { searchQuery } from '../data-sources/filters.ts';
import type { Group } from '../endpoint.ts';
import { page, paging } from '../page.ts';
import { field } from '../templates/field-types.ts';
import { variable } from '../templates/variables.ts';
import { id, variableValue } from '../values.ts';
import { entry } from './entry.ts';
import { taskListItem } from './task-list.ts';

/** The most entries of a task that its form contains. */
export const maximumFormEntries = 200;

const shownVariable = component('ShownVariable', 'A flow variable of a run that its template shows to guests.', {
  ...variable.pick({ key: true, name: true, type: true }).shape,
  value: variableValue.describe('The current value of the run.'),
});

/** Everything that a page needs to show the form of a task. */
const taskForm = component('TaskForm', 'A task with its form and what was filled in.', {
  task: taskListItem,
  runVersion: z.string().describe('Version of the run, for `If-Match`.'),
  description: z.string().nullable().describe('The instructions for the task; null if it has none.'),
  fields: z
    .array(field)
    .describe(
      "The fields of the task in the run's version of the template, in order. `hiddenFieldIds` of the task says which rules hide.",
    ),
  shownVariables: z
    .array(shownVariable)
    .describe(
      "The flow variables that the run's version of the template shows to guests, with their values. Without others.",
    ),
  conditionalFieldIds: z.array(id).describe('The fields that rules can show or hide when values are submitted.'),
  entries: z
    .array(entry)
    .describe(`The entries of the task with their values, newest first, at most ${maximumFormEntries}.`),
});

/** The form of a task, in one response. Part of the group `runs.tasks`. */
export const taskForms = {
  form: {
    method: 'GET',
    path: '/runs/tasks/:taskId/form',
    access: 'runs:read',
    guests: true,
    large: true,
    summary: 'Get the form of a task',
    description: '`taskId` is a `runTaskId`. Returns all that is needed to show the form and fill it in.',
    response: taskForm,
  },
  formRows: {
    method: 'GET',
    path: '/runs/tasks/:taskId/form/rows',
    access: 'runs:read',
    guests: true,
    large: true,
    summary: 'Look up rows for a DATA_SOURCE field of a form',
    description:
      '`taskId` is a `runTaskId`. Returns active rows by label, without their other cells, which are not searched either; see `GET /data-sources/:id/lookup` for those. ' +
      'Returns 404 for a field that the task does not have, and 400 if it is not a DATA_SOURCE field.',
    query: z.strictObject({
      ...paging,
      fieldId: id.describe('The `runTaskFieldId` of a DATA_SOURCE field of the task.'),
      search: searchQuery.optional().describe('Only rows whose label contains this text. Default: all rows.'),
    }),
    response: page(
      component('FormRow', 'A row that can be chosen in a form.', {
        id: id.describe('Id of the row: the value to submit.'),
        label: z.string().describe('Its cell in the label column, as text; empty if the cell is.'),
      }),
    ),
  },
} as const satisfies Group;
