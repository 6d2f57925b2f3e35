import type { Field, FieldValue } from '@runward/contract';
import { isFilled } from '@runward/engine';
import type { Client } from '@runward/sdk';
import { rejected, usage } from '../errors.ts';
import { findLookedUpRow } from '../lookup/looked-up-row.ts';
import { findMemberId, membersIfAllowed } from '../lookup/member.ts';
import { similar } from '../lookup/similar.ts';
import type { Prompts } from '../terminal/prompts.ts';
import { checkApproval } from './approval.ts';
import { askField, messageOf } from './ask-field.ts';
import { askRow } from './ask-row.ts';
import { parseValue, valueError } from './field-text.ts';
import type { Form } from './load-form.ts';

/** The values of a form, by field ID. */
export type FormValues = ReadonlyMap<string, FieldValue>;

/** Asks for all visible fields of a form. */
export async function askForm(client: Client, prompts: Prompts, form: Form): Promise<FormValues> {
  const { values } = form;
  const fields = visibleFields(form);
  const members = fields.some(({ type }) => type === 'USER') ? await membersIfAllowed(client) : null;
  const entered = new Map<string, FieldValue>();
  // What a chosen row fills is not asked for.
  const filled = new Set<string>();
  for (const field of fields) {
    if (filled.has(field.id)) continue;
    const question = { field, current: values.get(field.id) ?? null };
    if (!field.dataSource) {
      entered.set(field.id, await askField(prompts, question, members));
      continue;
    }
    const { value, row } = await askRow(client, prompts, question, messageOf(field));
    entered.set(field.id, value);
    for (const { columnId, fieldId } of field.dataSource.autoFill)
      if ((row?.cells[columnId] ?? null) !== null && !entered.has(fieldId)) filled.add(fieldId);
  }
  return entered;
}

/**
 * Reads the values of a form from `--value key=text`.
 *
 * @throws CliError if a key is unknown, a text is not valid for its field, or a required visible field has no value
 */
export async function readForm(
  client: Client,
  form: Form,
  given: readonly (readonly [string, string])[],
): Promise<FormValues> {
  const values = new Map<string, FieldValue>();
  const errors: string[] = [];
  for (const [key, text] of given) {
    const field = fieldOf(form, key);
    const value = await readValue(client, field, text);
    const error = valueError(field, value);
    if (error === null) values.set(field.id, value);
    else errors.push(`--value ${key}: ${error}`);
  }
  if (errors.length > 0) throw rejected(...errors);

  const fillable = filledBy(form, values);
  const empty = visibleFields(form).filter(({ id, required }) => {
    if (!required || (fillable.has(id) && !values.has(id))) return false;
    return !isFilled((values.has(id) ? values.get(id) : form.values.get(id)) ?? null);
  });
  if (empty.length > 0) {
    throw rejected(
      `The form of "${form.task.title}" has required fields without a value. Set them, run the command on a terminal to be asked, or skip the form with --direct:`,
      ...empty.map(({ key, label, type, options }) => {
        const choices = options.length > 0 ? `: ${options.map((option) => option.key).join(', ')}` : '';
        return `--value ${key}=…  (${label}, ${type}${choices})`;
      }),
    );
  }
  return values;
}

/**
 * Submits the values that differ from the open entry in one batch and completes the entry. Opens one if there is none. After a rejection it
 * submits all values, because a value that is submitted requests the approval again, also if it is the same.
 *
 * @throws CliError if the task now waits for its approval, or is still rejected
 */
export async function completeForm(client: Client, form: Form, values: FormValues): Promise<void> {
  const { execution, runs } = client;
  const { runTaskId, approval } = form.task;
  const { id } = form.entry ?? (await execution.open({ runTaskId }));
  const isRejected = approval?.status === 'REJECTED';
  const changed = [...values]
    .filter(([field, value]) => isRejected || JSON.stringify(form.values.get(field) ?? null) !== JSON.stringify(value))
    .map(([runTaskFieldId, value]) => ({ runTaskFieldId, value }));
  if (changed.length > 0) await execution.submitBatch({ executionEntryId: id, values: changed });
  if (approval) await checkApproval(client, await runs.tasks.get(runTaskId), remedyOf(form, id));
  // The SDK adds an idempotency key and sends the same one with every retry.
  await execution.complete({ executionEntryId: id });
}

/** What to do about a rejection. A form without fields has no value to submit, so that only a new entry is asked about again. */
function remedyOf({ fields }: Form, entryId: string): string {
  return fields.length > 0
    ? 'Correct its form with --value, or on a terminal; that requests the approval again.'
    : `Discard its entry, then complete it again: runward api DELETE /execution/entries/${entryId}`;
}

/** The fields that rules do not hide. Others may appear with the values that are submitted; the service then asks for them. */
function visibleFields({ fields, task }: Form): readonly Field[] {
  return fields.filter(({ id }) => !task.hiddenFieldIds.includes(id));
}

/** The fields that the rows among values may fill; the service knows whether they do. */
function filledBy({ fields }: Form, values: FormValues): ReadonlySet<string> {
  const lookups = fields.filter(({ id }) => (values.get(id) ?? null) !== null);
  return new Set(lookups.flatMap(({ dataSource }) => dataSource?.autoFill.map(({ fieldId }) => fieldId) ?? []));
}

function fieldOf({ fields, task }: Form, key: string): Field {
  const field = fields.find((candidate) => candidate.key === key);
  if (field) return field;
  const keys = fields.map((candidate) => candidate.key);
  const [suggestion] = similar(key, keys);
  const hint = suggestion === undefined ? `Its fields: ${keys.join(', ') || 'none'}.` : `Did you mean ${suggestion}?`;
  throw usage(`--value: the form of "${task.title}" has no field "${key}". ${hint}`);
}

async function readValue(client: Client, field: Field, text: string): Promise<FieldValue> {
  if (field.type === 'USER' && text.includes('@')) return findMemberId(client, text);
  if (field.type === 'DATA_SOURCE' && text.trim() !== '') return findLookedUpRow(client, field, text.trim());
  return parseValue(field, text);
}
