import type { Field, FieldValue } from '@runward/sdk';
import { rejectionOf, type ConsoleRequest } from '../console-page.ts';
import { valueOf } from './answers.ts';
import {
  changedElsewhere,
  changedIn,
  dependsOnAnswers,
  isAnswered,
  savedAnswers,
  seenOf,
  type FormState,
} from './form-state.ts';
import { valueContext, valueText } from './show-value.ts';
import { loadTask, type TaskData } from './task-data.ts';

/** What a person wants to do with the answers of a form. */
export type Wish = 'save' | 'request' | 'complete';

/** A form that was not accepted: what is wrong with it, and the status of the page that shows it. */
export interface Refusal {
  readonly status: number;
  readonly state: FormState;
  /** The entry, if the answers were saved nevertheless. */
  readonly entryId?: string | undefined;
}

type Outcome = { readonly entryId: string | undefined } | Refusal;

/**
 * Saves the answers that differ from the saved ones, and completes the entry if that is wanted. What somebody else has
 * changed since the form was shown is not overwritten.
 */
export async function fillForm(
  request: ConsoleRequest,
  data: TaskData,
  state: FormState,
  wish: Wish,
): Promise<Outcome> {
  const refuse = (problems: ReadonlyMap<string, string>, messages: readonly string[] = [], entryId?: string) => ({
    status: 400,
    state: { ...state, problems, messages },
    entryId,
  });
  const conflicts = conflictsOf(request, data, state);
  const vanished = vanishedFrom(request, data);
  if (conflicts.size + vanished.length > 0) {
    // The next time, the visitor has seen both.
    return { status: 412, state: { ...state, seen: new Map(), problems: conflicts, messages: vanished } };
  }
  const missing = wish === 'save' ? [] : missingAnswers(data, state);
  const { values, unreadable } = await readChanges(request, data, state);
  if (missing.length + unreadable.length > 0) return refuse(new Map([...missing, ...unreadable]));
  // Rules may show required fields once the answers are saved.
  const isAtOnce = wish === 'complete' && !dependsOnAnswers(data);
  try {
    const saved = await submit(request, data, wish, values, isAtOnce);
    if (wish === 'save' || isAtOnce) return { entryId: saved?.entry.id };
    const fresh = await loadTask(request, saved?.entry.id);
    const shown = missingAnswers(fresh, { ...state, answers: savedAnswers(fresh, request.formats.timeZone) });
    if (shown.length > 0) {
      return refuse(new Map(shown), ['Your answers are saved. Some more are needed now.'], saved?.entry.id);
    }
    if (wish === 'complete') {
      const entryId = saved?.entry.id ?? '';
      await request.api.execution.submitForm({ executionEntryId: entryId, values: [], complete: true });
    } else if (saved?.taskStatus !== 'PENDING_APPROVAL') {
      const message = 'Nothing has changed since the rejection. Change an answer to request the approval again.';
      return refuse(new Map(), [message], saved?.entry.id);
    }
    return { entryId: saved?.entry.id };
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    const { problems, others } = sorted(messages, values);
    return { ...refuse(problems, others), status };
  }
}

interface Submission {
  readonly field: Field;
  readonly value: FieldValue;
}

/** Sends the values; nothing if there is nothing to save. */
async function submit(
  { api }: ConsoleRequest,
  { task, form }: TaskData,
  wish: Wish,
  values: readonly Submission[],
  complete: boolean,
) {
  if (wish === 'save' && values.length === 0) return undefined;
  const target = form.entry ? { executionEntryId: form.entry.id } : { runTaskId: task.runTaskId };
  const submissions = values.map(({ field, value }) => ({ runTaskFieldId: field.id, value }));
  return api.execution.submitForm({ ...target, values: submissions, complete });
}

async function readChanges({ api, formats }: ConsoleRequest, data: TaskData, { answers }: FormState) {
  const saved = savedAnswers(data, formats.timeZone);
  // A new answer withdraws an approval.
  const isUnderApproval = ['REQUESTED', 'GRANTED'].includes(data.task.approval?.status ?? '');
  const changed = data.fields.filter(({ id, type, required }) => {
    // A box that is not ticked is an answer.
    const isUnsaved = type === 'CHECKBOX' && (data.form.values.get(id) ?? null) === null;
    return (isUnsaved && (required || !isUnderApproval)) || answers.get(id) !== saved.get(id);
  });
  const values: Submission[] = [];
  const unreadable: [string, string][] = [];
  for (const field of changed) {
    const reading = await valueOf(api, field, answers.get(field.id) ?? '', formats.timeZone);
    if ('problem' in reading) unreadable.push([field.id, reading.problem]);
    else values.push({ field, value: reading.value });
  }
  return { values, unreadable };
}

/** Answers that somebody else has changed since the form was shown, and the visitor too. */
function conflictsOf(request: ConsoleRequest, data: TaskData, { answers, seen }: FormState): Map<string, string> {
  const saved = savedAnswers(data, request.formats.timeZone);
  const context = valueContext(request, data);
  const conflicts = data.fields.filter(({ id }) => {
    const [before, theirs = ''] = [seen.get(id), saved.get(id)];
    return before !== undefined && before !== seenOf(theirs) && answers.get(id) !== theirs;
  });
  return new Map(
    conflicts.map(({ id, label }) => {
      const theirs = data.form.entry?.fieldValues.find(({ runTaskFieldId }) => runTaskFieldId === id);
      const who = theirs ? data.people.nameOf(theirs.submittedByUserId) : 'Somebody';
      const what = theirs ? valueText(theirs, context) : 'No answer';
      return [
        id,
        `"${label}" was changed meanwhile by ${who}, to “${what}”. Your answer is kept below: save again to replace theirs.`,
      ];
    }),
  );
}

/**
 * Says which answers were sent for fields that rules have hidden meanwhile, or that the version lacks that the run
 * follows by now.
 */
function vanishedFrom({ form }: ConsoleRequest, data: TaskData): string[] {
  const hidden = data.form.fields.filter((field) => !data.fields.includes(field));
  return [
    ...changedIn(form, hidden).map(({ field, answer }) => ({ what: `"${field.label}"`, answer })),
    ...changedElsewhere(form, data.form.fields).map((answer) => ({ what: 'A field that you filled in', answer })),
  ].map(
    ({ what, answer }) =>
      `${what} is not part of the form any more, so your answer cannot be saved: “${answer}”. Check the rest, and save again.`,
  );
}

function missingAnswers({ fields, form }: TaskData, { answers }: FormState): [string, string][] {
  return fields
    .filter(({ required }) => required)
    .filter((field) => {
      if (isAnswered(field)) return answers.get(field.id)?.trim() === '';
      return (form.values.get(field.id) ?? null) === null;
    })
    .map(({ id, label }) => [id, `"${label}" needs an answer`]);
}

/** Puts messages like `values[2].value: must be a number` at their fields. */
function sorted(messages: readonly string[], values: readonly Submission[]) {
  const problems = new Map<string, string>();
  const others: string[] = [];
  for (const message of messages) {
    const [, index, problem] = /^values\[(\d+)\]\.\w+: ([^]*)$/.exec(message) ?? [];
    const field = values[Number(index)]?.field;
    if (field && problem !== undefined) problems.set(field.id, problem);
    else others.push(message);
  }
  return { problems, others };
}
