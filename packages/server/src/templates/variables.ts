import { formats, type Parts } from '@runward/contract';
import { addVariable, removeVariable, updateVariable } from '@runward/engine';
import { findDraft } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { newId } from '../ids.ts';
import { pageOfAll } from '../paging.ts';
import { editDraft } from './change/edit-draft.ts';
import { presentDocument, presentVariable } from './present-document.ts';

/** Flow variables of a template's draft (spec: Templates). */
export const templateVariables: Handlers<Parts['templateVariables']> = {
  list: async ({ params, query, ...context }) => {
    const { draft } = await findDraft(context, params.id);
    return pageOfAll(presentDocument(draft).variables, query, context.ports.limits);
  },

  create: async ({ params, body, ...context }) => {
    const { value } = await editDraft(context, params.id, (draft) => addVariable(draft, newId(), body, formats));
    return presentVariable(value);
  },

  update: async ({ params: { id, variableId }, body, ...context }) => {
    const { value } = await editDraft(context, id, (draft) => updateVariable(draft, variableId, body, formats));
    return presentVariable(value);
  },

  delete: async ({ params: { id, variableId }, ...context }) => {
    await editDraft(context, id, (draft) => removeVariable(draft, variableId));
  },
};
