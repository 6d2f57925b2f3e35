import type { Parts } from '@runward/contract';
import { addPhase, removePhase, updatePhase } from '@runward/engine';
import { findDraft } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { newId } from '../ids.ts';
import { pageOfAll } from '../paging.ts';
import { editDraft } from './change/edit-draft.ts';
import { presentDocument, presentPhase } from './present-document.ts';

/** Phases of a template's draft (spec: Templates). */
export const templatePhases: Handlers<Parts['templatePhases']> = {
  list: async ({ params, query, ...context }) => {
    const { draft } = await findDraft(context, params.id);
    return pageOfAll(presentDocument(draft).phases, query, context.ports.limits);
  },

  create: async ({ params, body, ...context }) => {
    const { document, value } = await editDraft(context, params.id, (draft) => addPhase(draft, newId(), body));
    return presentPhase(document, value);
  },

  update: async ({ params: { id, phaseId }, body, ...context }) => {
    const { document, value } = await editDraft(context, id, (draft) => updatePhase(draft, phaseId, body));
    return presentPhase(document, value);
  },

  delete: async ({ params: { id, phaseId }, ...context }) => {
    await editDraft(context, id, (draft) => removePhase(draft, phaseId));
  },
};
