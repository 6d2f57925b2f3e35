import type { Field, FieldValue } from '@runward/contract';
import { traitsOf } from '@runward/engine';
import { isApiError, type Client, type User } from '@runward/sdk';
import { visibleFields, type Form } from '@runward/sdk/form';
import type { Cli } from '../cli.ts';
import { Escaped, interrupted, isInterrupted, messageOf } from '../errors.ts';
import { membersIfAllowed } from '../lookup/member.ts';
import type { Prompts } from '../terminal/prompts.ts';
import { askField, type Question } from './ask-field.ts';
import { askFiles } from './ask-files.ts';
import { askRow } from './ask-row.ts';
import { saveInterrupted } from './interrupted-form.ts';
import { saveAnswers, type Draft } from './save-answers.ts';
import type { Filled } from './submit-form.ts';

/** How a form is asked for. */
export interface AskOptions {
  readonly prompts: Prompts;
  /** Whether required fields can be left empty. */
  readonly isPartial: boolean;
  /** The command line that goes on after an interruption. */
  readonly goOn: string;
}

/** An answered question, and the fields that the answer filled. These are not asked for. */
interface Asked {
  readonly id: string;
  readonly fills: readonly string[];
}

/**
 * Asks for all visible fields of a form, and submits the answers. Escape returns to the previous question.
 *
 * Rules can show or hide a field depending on earlier answers. Before asking for such a field, the answers so far are
 * submitted, so that exactly the visible fields are asked for.
 *
 * Everything is submitted before the completion, so nothing has to be entered again if the completion is rejected.
 * Values that the server rejects are asked for again. All others are saved, even if an interruption or an error ends
 * the questions.
 */
export async function askForm(cli: Cli, client: Client, form: Form, options: AskOptions): Promise<Filled> {
  const isMember = ({ type }: Field) => traitsOf(type).refersTo === 'member';
  const members = form.fields.some(isMember) ? await membersIfAllowed(client) : null;
  const { signal } = cli.io;
  let asked: readonly Asked[] = [];
  // Also of questions that were gone back from: these are asked again.
  const draft: Draft = { form, values: new Map(), files: new Map() };
  using _ = cli.stopGracefully();
  try {
    for (;;) {
      const { next, place } = nextQuestion(draft.form, asked);
      const due = new Set(asked.flatMap(({ id }) => (draft.values.has(id) || draft.files.has(id) ? [id] : [])));
      try {
        if (due.size > 0 && (!next || draft.form.conditional.has(next.id))) {
          const problems = await saveAnswers(cli, client, draft, due);
          asked = asked.filter(({ id }) => !problems.has(id));
          for (const problem of problems.values()) cli.warn(problem);
          continue;
        }
        if (signal.aborted) throw interrupted();
        if (!next) return { form: draft.form, values: new Map() };
        const value = draft.values.has(next.id) ? draft.values.get(next.id) : draft.form.values.get(next.id);
        const question = questionFor(next, value ?? null, place, options);
        const { answer, paths, fills } = await ask(cli, client, { ...options, members }, question);
        draft.values.delete(next.id);
        draft.files.delete(next.id);
        if (answer !== undefined) draft.values.set(next.id, answer);
        if (paths.length > 0) draft.files.set(next.id, paths);
        asked = [...asked, { id: next.id, fills }];
      } catch (error) {
        if (error instanceof Escaped) asked = asked.slice(0, -1);
        else if (isInterrupted(error) || !(await isRetried(options.prompts, error))) throw error;
      }
    }
  } catch (error) {
    if (isInterrupted(error) || draft.values.size > 0) {
      await saveInterrupted(cli, client, draft, options.goOn);
    }
    throw error;
  }
}

/** Asks whether to go on after an error that no answer caused, such as a lost connection. */
async function isRetried(prompts: Prompts, error: unknown): Promise<boolean> {
  const message = isApiError(error) ? error.messages.join(' ') : messageOf(error);
  return prompts.yesNo(`${message} Try again?`, true);
}

/** The next visible field to ask for, and its number, like `2 of 5`. */
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
  if (traitsOf(field.type).refersTo === 'file') return { paths: await askFiles(io, prompts, question), fills: [] };
  if (!field.dataSource) return { answer: await askField(prompts, question, members), paths: [], fills: [] };
  const { value, row } = await askRow(client, prompts, question);
  const { autoFill } = field.dataSource;
  const fills = autoFill.flatMap(({ columnId, fieldId }) => ((row?.cells[columnId] ?? null) === null ? [] : [fieldId]));
  return { answer: value, paths: [], fills };
}
