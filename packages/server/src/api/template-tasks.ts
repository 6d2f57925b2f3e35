import type { Contract } from '@runward/contract';
import { addTask, duplicateTasks, removeTask, removeTasks, updateTask, updateTasks } from '@runward/engine';
import { editDraft } from '../commands/edit-draft.ts';
import { ensureAssignable } from '../commands/ensure-assignable.ts';
import { reachDraft } from '../commands/reach-template.ts';
import { newId } from '../ids.ts';
import type { Handlers } from './handler.ts';
import { pageOfAll } from './paging.ts';
import { presentDocument, presentTask } from './present-template.ts';

/** Tasks of a template's draft (spec: Templates). */
export const templateTasks: Handlers<Contract['templates.tasks']> = {
  list: async ({ params, query, ...scene }) => {
    const { draft } = await reachDraft(scene, params.id);
    return pageOfAll(presentDocument(draft).tasks, query);
  },

  create: async ({ params, body, ...scene }) => {
    const { document, value } = await editDraft(
      scene,
      params.id,
      (draft) => addTask(draft, newId(), body),
      () => ensureAssignable(scene, body),
    );
    return presentTask(document, value);
  },

  update: async ({ params, body, ...scene }) => {
    const { document, value } = await editDraft(
      scene,
      params.id,
      (draft) => updateTask(draft, params.taskId, body),
      () => ensureAssignable(scene, body),
    );
    return presentTask(document, value);
  },

  remove: async ({ params, ...scene }) => {
    await editDraft(scene, params.id, (draft) => removeTask(draft, params.taskId));
  },

  bulkDelete: async ({ params, body, ...scene }) => {
    await editDraft(scene, params.id, (draft) => removeTasks(draft, body.taskIds));
  },

  bulkDuplicate: async ({ params, body, ...scene }) => {
    const { document, value } = await editDraft(scene, params.id, (draft) =>
      duplicateTasks(draft, body.taskIds, newId),
    );
    return { data: value.map((task) => presentTask(document, task)) };
  },

  bulkUpdate: async ({ params, body: { taskIds, changes }, ...scene }) => {
    const { document, value } = await editDraft(
      scene,
      params.id,
      (draft) => updateTasks(draft, taskIds, changes),
      () => ensureAssignable(scene, changes, 'changes.'),
    );
    return { data: value.map((task) => presentTask(document, task)) };
  },
};
