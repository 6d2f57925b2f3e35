import type { Contract } from '@runward/contract';
import { addPhase, removePhase, updatePhase } from '@runward/engine';
import { editDraft } from '../commands/edit-draft.ts';
import { reachDraft } from '../commands/reach-template.ts';
import { newId } from '../ids.ts';
import type { Handlers } from './handler.ts';
import { pageOfAll } from './paging.ts';
import { presentDocument, presentPhase } from './present-template.ts';

/** Phases of a template's draft (spec: Templates). */
export const templatePhases: Handlers<Contract['templates.phases']> = {
  list: async ({ params, query, ...scene }) => {
    const { draft } = await reachDraft(scene, params.id);
    return pageOfAll(presentDocument(draft).phases, query);
  },

  create: async ({ params, body, ...scene }) => {
    const { document, value } = await editDraft(scene, params.id, (draft) => addPhase(draft, newId(), body));
    return presentPhase(document, value);
  },

  update: async ({ params: { id, phaseId }, body, ...scene }) => {
    const { document, value } = await editDraft(scene, id, (draft) => updatePhase(draft, phaseId, body));
    return presentPhase(document, value);
  },

  remove: async ({ params: { id, phaseId }, ...scene }) => {
    await editDraft(scene, id, (draft) => removePhase(draft, phaseId));
  },
};
