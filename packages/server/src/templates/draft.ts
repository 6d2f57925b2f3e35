import type { Parts } from '@runward/contract';
import { findDraft, lockTemplate } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { ensureNotArchived, ensureRevision, storeDraft } from './change/change-template.ts';
import { replaceDraft } from './change/replace-draft.ts';
import { presentDraft } from './present-document.ts';

/** The draft of a template as one document. */
export const templateDraft: Handlers<Parts['templateDraft']> = {
  get: async ({ params, ...context }) => presentDraft(await findDraft(context, params.id)),

  replace: async ({ params, body, ...context }) => {
    const template = await lockTemplate(context, params.id);
    ensureRevision(context, template);
    ensureNotArchived(template);
    await storeDraft(context, template, await replaceDraft(context, template.draft, body));
    return presentDraft(template);
  },
};
