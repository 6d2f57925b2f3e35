import type { FieldValue, Parts } from '@runward/contract';
import { atomic, type Handlers } from '../access/handler.ts';
import { ensureInScope, ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { found } from '../api-error.ts';
import { newId } from '../ids.ts';
import { pageOfAll } from '../paging.ts';
import { changeRun } from './change/change-run.ts';
import { entryIn } from './forms/entry-in.ts';
import { submitForm } from './forms/submit-form.ts';
import { pathInList, submitValues } from './forms/submit-values.ts';
import { findSubmittedValue } from './queries/find-submitted-value.ts';
import type { ListedFact } from './queries/list-activity.ts';
import { findTask } from './read/find-task.ts';
import { pageOfFacts } from './read/page-of-facts.ts';
import { presentEntries, presentEntry } from './read/present-run.ts';
import { loadRun } from './store/load.ts';

/** Filling in and completing the form of a task (spec: Execution). */
export const execution: Handlers<Parts['execution']> = {
  open: atomic(async ({ body: { runTaskId }, ...context }) => {
    const entryId = newId();
    const { state: run } = await changeRun(
      context,
      { runTaskId },
      { type: 'openEntry', runTaskId, entryId, userId: context.actor.userId },
    );
    const { task, entry } = entryIn(run, entryId);
    return presentEntry(task, entry);
  }),

  submit: atomic(async ({ body: { executionEntryId, ...value }, ...context }) =>
    submitValues(context, executionEntryId, [value], (part) => part),
  ),

  submitBatch: atomic(async ({ body: { executionEntryId, values }, ...context }) =>
    submitValues(context, executionEntryId, values, pathInList),
  ),

  complete: atomic(async ({ body: { executionEntryId: entryId, idempotencyKey = null }, ...context }) => {
    const { userId } = context.actor;
    await changeRun(context, { entryId }, { type: 'completeEntry', entryId, idempotencyKey, userId });
  }),

  submitForm: atomic(async ({ body, ...context }) => submitForm(context, body)),

  reopen: atomic(async ({ body: { executionEntryId: entryId }, ...context }) => {
    await changeRun(context, { entryId }, { type: 'reopenEntry', entryId });
  }),

  get: async ({ em, actor, params: { id } }) => {
    const entryId = id;
    const run = found(await loadRun(em, actor.organizationId, { entryId }, { forms: true }), 'Entry');
    const { task, entry } = entryIn(run.state, id);
    ensureInScope(actor, run.template, task);
    return presentEntry(task, entry);
  },

  discard: atomic(async ({ params: { id: entryId }, ...context }) => {
    await changeRun(context, { entryId }, { type: 'discardEntry', entryId, userId: context.actor.userId });
  }),

  entries: async ({ params: { runTaskId }, query, ...context }) => {
    const { task } = await findTask(context, runTaskId, { forms: true });
    return pageOfAll(presentEntries(task), query, context.ports.limits);
  },

  valueHistory: async ({ params: { fieldValueId }, query, ...context }) => {
    const { em, actor } = context;
    const value = found(await findSubmittedValue(em, actor.organizationId, fieldValueId), 'Field value');
    const { organizationId, runId, templateId, id } = value;
    await ensureTemplateInScope(em, actor, templateId);
    const about = { types: ['value.submitted'], property: 'fieldValueId', id } as const;
    return pageOfFacts(context, { organizationId, runId, about }, query, presentSubmission);
  },
};

function presentSubmission({ at, data }: ListedFact) {
  const { value, rowLabel = null, userId } = data as { value: FieldValue; rowLabel?: string; userId: string };
  return { value, rowLabel, submittedByUserId: userId, submittedAt: at.toISOString() };
}
