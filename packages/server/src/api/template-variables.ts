import type { Contract } from '@runward/contract';
import { addVariable, removeVariable, updateVariable } from '@runward/engine';
import { editDraft } from '../commands/edit-draft.ts';
import { reachDraft } from '../commands/reach-template.ts';
import { newId } from '../ids.ts';
import type { Handlers } from './handler.ts';
import { pageOfAll } from './paging.ts';
import { presentDocument, presentVariable } from './present-template.ts';

/** Flow variables of a template's draft (spec: Templates). */
export const templateVariables: Handlers<Contract['templates.variables']> = {
  list: async ({ params, query, ...scene }) => {
    const { draft } = await reachDraft(scene, params.id);
    return pageOfAll(presentDocument(draft).variables, query);
  },

  create: async ({ params, body, ...scene }) => {
    const { value } = await editDraft(scene, params.id, (draft) => addVariable(draft, newId(), body));
    return presentVariable(value);
  },

  update: async ({ params: { id, variableId }, body, ...scene }) => {
    const { value } = await editDraft(scene, id, (draft) => updateVariable(draft, variableId, body));
    return presentVariable(value);
  },

  remove: async ({ params: { id, variableId }, ...scene }) => {
    await editDraft(scene, id, (draft) => removeVariable(draft, variableId));
  },
};
