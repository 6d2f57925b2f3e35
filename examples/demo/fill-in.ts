import { isDeepStrictEqual } from 'node:util';
import type { Client, FieldValue, PublishedField, RunTask } from '@runward/sdk';
import { attachFile, takesFile } from './attachments.ts';
import type { NewHire } from './new-hires.ts';

/** The new hire whom the forms are about, and the user who fills them in. */
export interface Subject {
  readonly hire: NewHire;
  readonly userId: string;
}

/** The API as the one who fills in forms, and as another member. */
interface Clients {
  readonly runward: Client;
  readonly approver: Client;
}

/** The values of each entry, by field. */
type Submitted = ReadonlyMap<string, Readonly<Record<string, FieldValue>>>;

/**
 * Fills in and completes a task. Takes one call, or single steps if the task takes files, needs an approval or is
 * repeatable. Returns the number of submitted values. Throws if they read back differently.
 */
export async function fillInTask(
  clients: Clients,
  task: RunTask,
  fields: readonly PublishedField[],
  subject: Subject,
): Promise<number> {
  const needsSteps = task.repeatable || task.approval !== null || fields.some(takesFile);
  const submitted = await (needsSteps ? fillInStepByStep : fillInAtOnce)(clients, task, fields, subject);

  const entries = await clients.runward.execution.entries(task.runTaskId).toArray({ limit: 200 });
  const readBack = entries.map(({ id, fieldValues }) => [id, valuesById(fieldValues)] as const);
  if (!isDeepStrictEqual(new Map(readBack), submitted)) {
    throw new Error(`The values of "${task.title}" (${task.runTaskId}) read back differently than they were sent.`);
  }
  return submitted.size * fields.length;
}

async function fillInAtOnce(
  { runward }: Clients,
  { runTaskId }: RunTask,
  fields: readonly PublishedField[],
  subject: Subject,
): Promise<Submitted> {
  const values = valuesFor(fields, subject);
  const { entry } = await runward.execution.submitForm({ runTaskId, values: listOf(values) });
  return new Map([[entry.id, values]]);
}

/**
 * Opens, submits, uploads and completes. A repeatable task gets two entries that are open at the same time. If another
 * member has to approve, `approver` does it.
 */
async function fillInStepByStep(
  { runward, approver }: Clients,
  task: RunTask,
  fields: readonly PublishedField[],
  subject: Subject,
): Promise<Submitted> {
  const submitted = new Map<string, Record<string, FieldValue>>();
  for (let entries = 0; entries < (task.repeatable ? 2 : 1); entries += 1) {
    const { id } = await runward.execution.open({ runTaskId: task.runTaskId });
    submitted.set(id, valuesFor(fields, subject));
  }

  for (const [executionEntryId, values] of submitted) {
    // Both ways have the same result. A batch suits a form; single values suit a conversation.
    if (task.position % 2 === 0) await runward.execution.submitBatch({ executionEntryId, values: listOf(values) });
    else for (const one of listOf(values)) await runward.execution.submit({ executionEntryId, ...one });
    for (const field of fields.filter(takesFile)) {
      values[field.runTaskFieldId] = await attachFile(runward, executionEntryId, field, subject.hire);
    }
    if (task.approval) await approver.runs.tasks.approve(task.runTaskId, { comment: 'Well prepared.' });
    await runward.execution.complete({ executionEntryId });
  }
  return submitted;
}

/** The values of the fields that hold no files. */
function valuesFor(fields: readonly PublishedField[], subject: Subject): Record<string, FieldValue> {
  const values = fields.filter((field) => !takesFile(field));
  return Object.fromEntries(values.map((field) => [field.runTaskFieldId, valueFor(field, subject)]));
}

function listOf(values: Readonly<Record<string, FieldValue>>) {
  return Object.entries(values).map(([runTaskFieldId, value]) => ({ runTaskFieldId, value }));
}

function valuesById(values: readonly { runTaskFieldId: string; value: FieldValue }[]) {
  return Object.fromEntries(values.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]));
}

/** A plausible value for the type of a field. */
function valueFor({ type, key, label, options }: PublishedField, { hire, userId }: Subject): FieldValue {
  switch (type) {
    case 'TEXT':
      return `${label} of ${hire.name}`;
    case 'LONG_TEXT':
      return `${label}, as ${hire.name} and ${hire.variables['manager']} noted it.\nNothing is left open.`;
    case 'NUMBER':
      return 40 + (hire.name.length % 60);
    case 'EMAIL':
      return `${mailbox(hire.name)}@example.com`;
    case 'PHONE':
      return `+49 30 555 ${String(1000 + hire.name.length * 37)}`;
    case 'URL':
      return `https://files.example.com/onboarding/${encodeURIComponent(hire.name)}/${key}`;
    case 'CHECKBOX':
      return true;
    case 'DATE':
      return hire.startDate;
    case 'DATETIME':
      return `${hire.startDate}T09:10:00.000Z`;
    case 'DROPDOWN':
      return options[hire.name.length % options.length]?.key ?? null;
    case 'MULTI_SELECT':
      return options.slice(0, 1 + (hire.name.length % options.length)).map((option) => option.key);
    case 'USER':
      return userId;
    default:
      throw new Error(`The demo has no value for "${label}", which is a ${type}; add one to fill-in.ts.`);
  }
}

function mailbox(name: string): string {
  const letters = name.normalize('NFD').replaceAll(/[^A-Za-z ]/g, '');
  return letters.trim().toLowerCase().split(/\s+/).filter(Boolean).join('.') || 'new.hire';
}
