import type { Parts } from '@runward/contract';
import { addField, moveField, removeField, updateField } from '@runward/engine';
import { ensureLookup } from '../access/ensure-lookup.ts';
import type { Handlers } from '../access/handler.ts';
import { newId } from '../ids.ts';
import { editDraft } from './change/edit-draft.ts';
import { presentField } from './present-document.ts';

/** Form fields of a draft's tasks (spec: Templates). */
export const templateFields: Handlers<Parts['templateFields']> = {
  create: async ({ params: { id, taskId }, body, ...context }) => {
    const { document, value } = await editDraft(
      context,
      id,
      (draft) => addField(draft, taskId, newId(), body),
      () => ensureLookup(context, body.dataSource),
    );
    return presentField(document, value);
  },

  update: async ({ params: { id, taskId, fieldId }, body, ...context }) => {
    const { document, value } = await editDraft(
      context,
      id,
      (draft) => updateField(draft, taskId, fieldId, body),
      () => ensureLookup(context, body.dataSource),
    );
    return presentField(document, value);
  },

  move: async ({ params: { id, taskId, fieldId }, body, ...context }) => {
    const { document, value } = await editDraft(context, id, (draft) => moveField(draft, taskId, fieldId, body));
    return presentField(document, value);
  },

  delete: async ({ params: { id, taskId, fieldId }, ...context }) => {
    await editDraft(context, id, (draft) => removeField(draft, taskId, fieldId));
  },
};
