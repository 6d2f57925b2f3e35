import type { Contract } from '@runward/contract';
import type { EntryState, RunState, TaskState } from '@runward/engine';
import { ensureTemplateReach } from '../access/reach.ts';
import { changeRun } from '../commands/change-run.ts';
import { ensureReferences } from '../commands/ensure-references.ts';
import { loadRun } from '../db/load-run.ts';
import { findSubmittedValue, listRevisions } from '../db/queries/list-revisions.ts';
import { found } from '../fault.ts';
import { newId } from '../ids.ts';
import { atomic, type Handlers, type Scene } from './handler.ts';
import { decodeCursor, pageOf, pageOfAll } from './paging.ts';
import { presentEntry } from './present-run.ts';

/** Filling in and completing the form of a task (spec: Execution). */
export const execution: Handlers<Contract['execution']> = {
  open: atomic(async ({ body: { runTaskId }, ...scene }) => {
    const entryId = newId();
    const run = await changeRun(
      scene,
      { runTaskId },
      { type: 'openEntry', runTaskId, entryId, userId: scene.actor.userId },
    );
    const { task, entry } = entryIn(run, entryId);
    return presentEntry(task, entry);
  }),

  submit: atomic(async ({ body: { executionEntryId, ...value }, ...scene }) =>
    submit(scene, executionEntryId, [value]),
  ),

  submitBatch: atomic(async ({ body: { executionEntryId, values }, ...scene }) =>
    submit(scene, executionEntryId, values),
  ),

  complete: atomic(async ({ body: { executionEntryId: entryId, idempotencyKey = null }, ...scene }) => {
    const { userId } = scene.actor;
    await changeRun(scene, { entryId }, { type: 'completeEntry', entryId, idempotencyKey, userId });
  }),

  reopen: atomic(async ({ body: { executionEntryId: entryId }, ...scene }) => {
    await changeRun(scene, { entryId }, { type: 'reopenEntry', entryId });
  }),

  entries: async ({ em, actor, params: { runTaskId }, query }) => {
    const run = found(await loadRun(em, actor.organizationId, { runTaskId }, { forms: true }), 'Task');
    await ensureTemplateReach(em, actor, run.state.templateId);
    const task = found(
      run.state.tasks.find((candidate) => candidate.id === runTaskId),
      'Task',
    );
    return pageOfAll(task.entries.map((entry) => presentEntry(task, entry)).reverse(), query);
  },

  valueHistory: async ({ em, actor, params: { fieldValueId }, query }) => {
    const value = found(await findSubmittedValue(em, actor.organizationId, fieldValueId), 'Field value');
    await ensureTemplateReach(em, actor, value.templateId);
    const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 'number')[0];
    const { rows, total } = await listRevisions(em, value, { limit: query.limit, before });
    return pageOf(
      rows,
      query.limit,
      total,
      ({ sequence: _, ...revision }) => revision,
      ({ sequence }) => [sequence],
    );
  },
};

type Submission = { runTaskFieldId: string; value: Parameters<typeof ensureReferences>[2][number]['value'] };

async function submit(scene: Scene, entryId: string, submissions: readonly Submission[]) {
  const values = submissions.map(({ runTaskFieldId: fieldId, value }) => ({ fieldId, fieldValueId: newId(), value }));
  await changeRun(
    scene,
    { entryId },
    { type: 'submitValues', entryId, values, userId: scene.actor.userId },
    (em, run) => ensureReferences({ em, actor: scene.actor }, run, values),
  );
  return { autoFilledFields: [] };
}

function entryIn(run: RunState, entryId: string): { task: TaskState; entry: EntryState } {
  for (const task of run.tasks) {
    const entry = task.entries.find((candidate) => candidate.id === entryId);
    if (entry) return { task, entry };
  }
  throw new Error(`Run ${run.id} has no entry ${entryId} although it was just opened.`);
}
