import type { Parts } from '@runward/contract';
import { addTask, duplicateTasks, removeTask, removeTasks, updateTask, updateTasks } from '@runward/engine';
import { ensureAssignable } from '../access/ensure-assignable.ts';
import { findDraft } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { newId } from '../ids.ts';
import { pageOfAll } from '../paging.ts';
import { editDraft } from './change/edit-draft.ts';
import { presentDocument, presentTask } from './present-document.ts';

/** Tasks of a template's draft (spec: Templates). */
export const templateTasks: Handlers<Parts['templateTasks']> = {
  list: async ({ params, query, ...context }) => {
    const { draft } = await findDraft(context, params.id);
    return pageOfAll(presentDocument(draft).tasks, query, context.ports.limits);
  },

  create: async ({ params, body, ...context }) => {
    const { document, value } = await editDraft(
      context,
      params.id,
      (draft) => addTask(draft, newId(), body),
      () => ensureAssignable(context, body),
    );
    return presentTask(document, value);
  },

  update: async ({ params, body, ...context }) => {
    const { document, value } = await editDraft(
      context,
      params.id,
      (draft) => updateTask(draft, params.taskId, body),
      () => ensureAssignable(context, body),
    );
    return presentTask(document, value);
  },

  delete: async ({ params, ...context }) => {
    await editDraft(context, params.id, (draft) => removeTask(draft, params.taskId));
  },

  bulkDelete: async ({ params, body, ...context }) => {
    await editDraft(context, params.id, (draft) => removeTasks(draft, body.taskIds));
  },

  bulkDuplicate: async ({ params, body, ...context }) => {
    const { document, value } = await editDraft(context, params.id, (draft) =>
      duplicateTasks(draft, body.taskIds, newId),
    );
    return { data: value.map((task) => presentTask(document, task)) };
  },

  bulkUpdate: async ({ params, body: { taskIds, changes }, ...context }) => {
    const { document, value } = await editDraft(
      context,
      params.id,
      (draft) => updateTasks(draft, taskIds, changes),
      () => ensureAssignable(context, changes, 'changes.'),
    );
    return { data: value.map((task) => presentTask(document, task)) };
  },
};
