import { maximumFormEntries, type Parts } from '@runward/contract';
import { shownVariables } from '@runward/engine';
import type { Handlers } from '../access/handler.ts';
import { badRequest, found } from '../api-error.ts';
import { lookUpRows } from '../data-sources/look-up-rows.ts';
import { presentField } from '../templates/present-document.ts';
import { versionOf } from './change/change-run.ts';
import { findTask } from './read/find-task.ts';
import { presentEntries, presentTaskIn } from './read/present-run.ts';

/** The form of a task, for pages that show it. */
export const taskForms: Handlers<Parts['taskForms']> = {
  form: async ({ params: { taskId }, ...context }) => {
    const { run, task } = await findTask(context, taskId, { forms: true });
    const { document } = run.state;
    const { description, fields } = task.definition;
    const own = new Set(fields.map(({ id }) => id));
    const actions = document.tasks.flatMap(({ rules }) => rules.flatMap((rule) => rule.actions));
    const conditional = actions.flatMap((action) => ('fieldIds' in action ? (action.fieldIds ?? []) : []));
    return {
      task: presentTaskIn(run.state, taskId),
      runVersion: versionOf(run),
      description,
      fields: fields.map((field) => presentField(document, field)),
      shownVariables: shownVariables(run.state),
      conditionalFieldIds: [...new Set(conditional)].filter((id) => own.has(id)),
      entries: presentEntries(task).slice(0, maximumFormEntries),
    };
  },

  formRows: async ({ params: { taskId }, query: { fieldId, ...query }, ...context }) => {
    const { task } = await findTask(context, taskId);
    const field = found(
      task.definition.fields.find(({ id }) => id === fieldId),
      'Field',
    );
    const lookup = field.dataSource;
    if (!lookup)
      throw badRequest(['fieldId: must be a DATA_SOURCE field of the task; see GET /runs/tasks/:taskId/form']);
    const page = await lookUpRows(context, lookup, query, 'labels');
    return { ...page, data: page.data.map(({ id, label }) => ({ id, label })) };
  },
};
