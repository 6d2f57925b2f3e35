import type { Contract } from '@runward/contract';
import { addField, moveField, removeField, updateField } from '@runward/engine';
import { editDraft } from '../commands/edit-draft.ts';
import { newId } from '../ids.ts';
import type { Handlers } from './handler.ts';
import { presentField } from './present-template.ts';

/** Form fields of a draft's tasks (spec: Templates). */
export const templateFields: Handlers<Contract['templates.fields']> = {
  create: async ({ params: { id, taskId }, body, ...scene }) => {
    const { document, value } = await editDraft(scene, id, (draft) => addField(draft, taskId, newId(), body));
    return presentField(document, value);
  },

  update: async ({ params: { id, taskId, fieldId }, body, ...scene }) => {
    const { document, value } = await editDraft(scene, id, (draft) => updateField(draft, taskId, fieldId, body));
    return presentField(document, value);
  },

  move: async ({ params: { id, taskId, fieldId }, body, ...scene }) => {
    const { document, value } = await editDraft(scene, id, (draft) => moveField(draft, taskId, fieldId, body));
    return presentField(document, value);
  },

  remove: async ({ params: { id, taskId, fieldId }, ...scene }) => {
    await editDraft(scene, id, (draft) => removeField(draft, taskId, fieldId));
  },
};
