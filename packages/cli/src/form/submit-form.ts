import type { FieldValue } from '@runward/contract';
import type { Client } from '@runward/sdk';
import { refreshForm, type Form } from '@runward/sdk/form';
import type { Cli } from '../cli.ts';
import { fileSource } from '../transfer/file-source.ts';
import { uploadFile } from '../transfer/upload-file.ts';
import { checkApproval } from './approval.ts';
import { submitted } from './rejected-values.ts';

/** The answers for a form: values, and paths of files to upload, by field ID. */
export interface Answers {
  readonly values: ReadonlyMap<string, FieldValue>;
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** A form that can be completed, and the values still to be submitted with the completion. */
export interface Filled {
  readonly form: Form;
  readonly values: Answers['values'];
}

/**
 * Uploads the files, and submits the values that differ from the open entry. Opens an entry if there is none. Returns
 * the changed form, because rules may have shown and hidden fields.
 *
 * @throws RejectedValues if the server rejects values
 */
export async function submitAnswers(cli: Cli, client: Client, form: Form, { values, files }: Answers): Promise<Form> {
  const { execution } = client;
  const changed = changesOf(form, values);
  if (changed.length === 0 && files.size === 0) return form;
  if (files.size === 0) {
    const request = execution.submitForm({ ...targetOf(form), values: changed, complete: false });
    const { entry } = await submitted(request, changed, form.fields);
    return refreshForm(client, form, entry.id);
  }
  const { id: entryId } = form.entry ?? (await execution.open({ runTaskId: form.task.runTaskId }));
  for (const [fieldId, paths] of files) {
    for (const path of paths) await uploadFile(cli, client, { entryId, fieldId }, fileSource(cli.io, path));
  }
  if (changed.length > 0) {
    const request = execution.submitBatch({ executionEntryId: entryId, values: changed });
    await submitted(request, changed, form.fields);
  }
  return refreshForm(client, form, entryId);
}

/**
 * Completes the entry of a form together with the remaining values. Opens an entry if there is none. Takes effect as a
 * whole or not at all, unless an approval is needed.
 *
 * @throws CliError if the task now waits for its approval, or is still rejected. RejectedValues if the server rejects
 * values
 */
export async function completeForm(cli: Cli, client: Client, { form, values }: Filled): Promise<void> {
  const { execution, runs } = client;
  if (!form.task.approval) {
    // The SDK adds an idempotency key, and uses the same one for every retry.
    const changed = changesOf(form, values);
    await submitted(execution.submitForm({ ...targetOf(form), values: changed }), changed, form.fields);
    return;
  }
  const saved = await submitAnswers(cli, client, form, { values, files: new Map() });
  const { runTaskId } = form.task;
  const { id } = saved.entry ?? (await execution.open({ runTaskId }));
  await checkApproval(client, await runs.tasks.get(runTaskId), remedyOf(form, id));
  await execution.complete({ executionEntryId: id });
}

/**
 * After a rejection all values are submitted, because submitting a value requests the approval again, even an unchanged
 * one.
 */
function changesOf(form: Form, values: Answers['values']) {
  const isRejected = form.task.approval?.status === 'REJECTED';
  return [...values]
    .filter(([field, value]) => isRejected || JSON.stringify(form.values.get(field) ?? null) !== JSON.stringify(value))
    .map(([runTaskFieldId, value]) => ({ runTaskFieldId, value }));
}

function targetOf({ entry, task: { runTaskId } }: Form) {
  return entry ? { executionEntryId: entry.id } : { runTaskId };
}

/**
 * What to do about a rejection. A form without fields has no value to submit, so only a new entry requests the approval
 * again.
 */
function remedyOf({ fields }: Form, entryId: string): string {
  return fields.length > 0
    ? 'Correct its form with --value, or on a terminal; that requests the approval again.'
    : `Discard its entry, then complete it again: runward execution discard ${entryId}`;
}
