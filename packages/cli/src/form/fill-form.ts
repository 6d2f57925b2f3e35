import type { Field, FieldValue } from '@runward/contract';
import { isFilled } from '@runward/engine';
import type { Client } from '@runward/sdk';
import { refused, usage } from '../errors.ts';
import { similar } from '../lookup/ids.ts';
import { findMemberId, membersIfAllowed } from '../lookup/member.ts';
import { askField } from './ask-field.ts';
import type { Form } from './load-form.ts';
import { problem, readText } from './read-text.ts';

/** Values for a form, by field id. */
export type Answers = ReadonlyMap<string, FieldValue>;

/** Walks a person through all fields of a form. */
export async function askForm(client: Client, { fields, values }: Form): Promise<Answers> {
  const members = fields.some(({ type }) => type === 'USER') ? await membersIfAllowed(client) : null;
  const answers = new Map<string, FieldValue>();
  for (const field of fields) answers.set(field.id, await askField(field, values.get(field.id) ?? null, members));
  return answers;
}

/**
 * Reads `--value key=text` for a form.
 *
 * @throws CliError when a key names no field, a text is no value of its field, or a required field stays empty
 */
export async function readForm(
  client: Client,
  form: Form,
  given: readonly (readonly [string, string])[],
): Promise<Answers> {
  const answers = new Map<string, FieldValue>();
  const problems: string[] = [];
  for (const [key, text] of given) {
    const field = fieldOf(form, key);
    const value = await readAny(client, field, text);
    const found = problem(field, value);
    if (found === null) answers.set(field.id, value);
    else problems.push(`--value ${key}: ${found}`);
  }
  if (problems.length > 0) throw refused(...problems);

  const open = form.fields.filter(({ id, required }) => {
    return required && !isFilled(answers.has(id) ? (answers.get(id) ?? null) : (form.values.get(id) ?? null));
  });
  if (open.length > 0) {
    throw refused(
      `The form of "${form.task.title}" needs values. Give them, answer on a terminal, or skip the form with --direct:`,
      ...open.map(({ key, label, type, options }) => {
        const choices = options.length > 0 ? `: ${options.map((option) => option.key).join(', ')}` : '';
        return `--value ${key}=…  (${label}, ${type}${choices})`;
      }),
    );
  }
  return answers;
}

/** Submits what differs from the open entry in one batch, opening an entry if there is none, and completes it. */
export async function completeForm({ execution }: Client, form: Form, answers: Answers): Promise<void> {
  const { id } = form.entry ?? (await execution.open({ runTaskId: form.task.runTaskId }));
  const values = [...answers]
    .filter(([field, value]) => JSON.stringify(form.values.get(field) ?? null) !== JSON.stringify(value))
    .map(([runTaskFieldId, value]) => ({ runTaskFieldId, value }));
  if (values.length > 0) await execution.submitBatch({ executionEntryId: id, values });
  // The SDK adds an idempotency key and keeps it over its retries.
  await execution.complete({ executionEntryId: id });
}

function fieldOf({ fields, task }: Form, key: string): Field {
  const field = fields.find((candidate) => candidate.key === key);
  if (field) return field;
  const keys = fields.map((candidate) => candidate.key);
  const [close] = similar(key, keys);
  const hint = close === undefined ? `It has: ${keys.join(', ') || 'none'}.` : `Did you mean ${close}?`;
  throw usage(`--value: the form of "${task.title}" has no field "${key}". ${hint}`);
}

async function readAny(client: Client, field: Field, text: string): Promise<FieldValue> {
  if (field.type === 'USER' && text.includes('@')) return findMemberId(client, text);
  return readText(field, text);
}
