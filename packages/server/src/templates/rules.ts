import { formats, type Parts } from '@runward/contract';
import { addRule, removeRule, reorderRules, updateRule, type ActionInput } from '@runward/engine';
import { assigneeProblems } from '../access/ensure-assignable.ts';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest } from '../api-error.ts';
import { newId } from '../ids.ts';
import { editDraft } from './change/edit-draft.ts';
import { assignmentsOf } from './change/rule-assignments.ts';
import { presentRule, presentTask } from './present-document.ts';

/** Conditional-logic rules of a template's draft (spec: Templates). */
export const templateRules: Handlers<Parts['templateRules']> = {
  create: async ({ params: { id, taskId }, body, ...context }) => {
    const { value } = await editDraft(
      context,
      id,
      (draft) => addRule(draft, taskId, newId(), body, formats),
      () => ensureAssignees(context, body.actions),
    );
    return presentRule(value);
  },

  update: async ({ params: { id, taskId, ruleId }, body, ...context }) => {
    const { value } = await editDraft(
      context,
      id,
      (draft) => updateRule(draft, taskId, ruleId, body, formats),
      () => ensureAssignees(context, body.actions ?? []),
    );
    return presentRule(value);
  },

  reorder: async ({ params: { id, taskId }, body, ...context }) => {
    const { document, value } = await editDraft(context, id, (draft) => reorderRules(draft, taskId, body.ruleIds));
    return presentTask(document, value);
  },

  delete: async ({ params: { id, taskId, ruleId }, ...context }) => {
    await editDraft(context, id, (draft) => removeRule(draft, taskId, ruleId));
  },
};

async function ensureAssignees(context: RequestContext, actions: readonly ActionInput[]): Promise<void> {
  const problems = await assigneeProblems(context, assignmentsOf(actions));
  if (problems.length > 0) throw badRequest(problems);
}
