import type { Field, FieldValue } from '@runward/contract';
import { holdsFiles } from '@runward/engine';
import type { Client, User } from '@runward/sdk';
import type { Cli } from '../cli.ts';
import { Escaped, interrupted, isInterrupted } from '../errors.ts';
import { membersIfAllowed } from '../lookup/member.ts';
import type { Prompts } from '../terminal/prompts.ts';
import { askField, type Question } from './ask-field.ts';
import { askFiles } from './ask-files.ts';
import { askRow } from './ask-row.ts';
import { visibleFields } from './form-field.ts';
import { saveInterrupted } from './interrupted-form.ts';
import type { Form } from './load-form.ts';
import { submitAnswers, type Answers, type Filled } from './submit-form.ts';

/** How a form is asked for. */
export interface AskOptions {
  readonly prompts: Prompts;
  /** Whether required fields can be left empty. */
  readonly isPartial: boolean;
  /** The command line that goes on after an interruption. */
  readonly goOn: string;
}

/** An answered question, and the fields that the answer fills, which are not asked for. */
interface Asked {
  readonly id: string;
  readonly fills: readonly string[];
}

/**
 * Asks for all fields of a form that are visible, and submits what is entered. Escape goes back to the previous question. Before a field that
 * rules can show or hide, what was entered so far is submitted, so that exactly the fields are asked for that are visible with these values.
 * Nothing is left for the completion: if it is rejected, nothing has to be entered again. An interruption saves the values, too.
 */
export async function askForm(cli: Cli, client: Client, form: Form, options: AskOptions): Promise<Filled> {
  const isUser = ({ type }: Field) => type === 'USER';
  const members = form.fields.some(isUser) ? await membersIfAllowed(client) : null;
  const { signal } = cli.io;
  const asked: Asked[] = [];
  // What is not submitted yet, also of questions that were gone back from: these are asked again.
  const unsaved = { values: new Map<string, FieldValue>(), files: new Map<string, readonly string[]>() };
  let current = form;
  using _ = cli.stopGracefully();
  try {
    for (;;) {
      const { next, place } = nextQuestion(current, asked);
      const due = only(unsaved, asked);
      if ((due.values.size > 0 || due.files.size > 0) && (!next || current.conditional.has(next.id))) {
        current = await submitAnswers(cli, client, current, due);
        for (const { id } of asked) remove(unsaved, id);
        continue;
      }
      if (signal.aborted) throw interrupted();
      if (!next) return { form: current, values: new Map() };
      const value = unsaved.values.has(next.id) ? unsaved.values.get(next.id) : current.values.get(next.id);
      const question = questionFor(next, value ?? null, place, options);
      try {
        const { answer, paths, fills } = await ask(cli, client, { ...options, members }, question);
        remove(unsaved, next.id);
        if (answer !== undefined) unsaved.values.set(next.id, answer);
        if (paths.length > 0) unsaved.files.set(next.id, paths);
        asked.push({ id: next.id, fills });
      } catch (error) {
        if (!(error instanceof Escaped)) throw error;
        asked.pop();
      }
    }
  } catch (error) {
    if (isInterrupted(error)) await saveInterrupted(cli, client, current, unsaved, options.goOn);
    throw error;
  }
}

/** The first visible field that was not asked for, and its place among the questions, like `2 of 5`. */
function nextQuestion(form: Form, asked: readonly Asked[]) {
  const filled = new Set(asked.flatMap(({ fills }) => fills));
  const isAsked = (id: string) => asked.some((one) => one.id === id);
  const questions = visibleFields(form).filter(({ id }) => isAsked(id) || !filled.has(id));
  const next = questions.find(({ id }) => !isAsked(id));
  return { next, place: next ? `${questions.indexOf(next) + 1} of ${questions.length}` : '' };
}

function questionFor(field: Field, current: FieldValue, place: string, { isPartial }: AskOptions): Question {
  const { label, helpText, required } = field;
  const text = [required ? `${label} *` : label, helpText].filter(Boolean).join(' — ');
  return { field: isPartial ? { ...field, required: false } : field, message: `${place}: ${text}`, current };
}

async function ask(
  { io }: Cli,
  client: Client,
  { prompts, members }: { readonly prompts: Prompts; readonly members: readonly User[] | null },
  question: Question,
): Promise<{ answer?: FieldValue; paths: readonly string[]; fills: readonly string[] }> {
  const { field } = question;
  if (holdsFiles(field)) return { paths: await askFiles(io, prompts, question), fills: [] };
  if (!field.dataSource) return { answer: await askField(prompts, question, members), paths: [], fills: [] };
  const { value, row } = await askRow(client, prompts, question);
  const { autoFill } = field.dataSource;
  const fills = autoFill.flatMap(({ columnId, fieldId }) => ((row?.cells[columnId] ?? null) === null ? [] : [fieldId]));
  return { answer: value, paths: [], fills };
}

function only({ values, files }: Answers, asked: readonly Asked[]): Answers {
  const isAsked = ([id]: readonly [string, unknown]) => asked.some((one) => one.id === id);
  return { values: new Map([...values].filter(isAsked)), files: new Map([...files].filter(isAsked)) };
}

function remove({ values, files }: { values: Map<string, unknown>; files: Map<string, unknown> }, id: string): void {
  values.delete(id);
  files.delete(id);
}
