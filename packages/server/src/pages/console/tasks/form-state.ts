import { hash } from 'node:crypto';
import type { Field } from '@runward/sdk';
import { rejectionOf, type ConsoleRequest } from '../console-page.ts';
import { isGuest } from '../may.ts';
import { searchMembers } from '../people.ts';
import { answerOf, controlOf, fileTypes, normal, readAnswer, type Answers } from './answers.ts';
import type { TaskData } from './task-data.ts';

/** The id of the element with the form. */
export const formId = 'form';

/** The id of the element with the status of a task. */
export const factsId = 'facts';

/** Something that can be chosen in a field. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What a form contains beyond the saved values. */
export interface FormState {
  readonly answers: Answers;
  /** What the fields that the visitor has changed contained before; see `seenOf`. */
  readonly seen: Answers;
  /** What is wrong, by the id of the field. */
  readonly problems: ReadonlyMap<string, string>;
  /** What is wrong beyond single fields. */
  readonly messages: readonly string[];
  /** What was searched for, by the id of the field. */
  readonly searches: ReadonlyMap<string, string>;
  /** What the searches have found. */
  readonly found: ReadonlyMap<string, Found>;
}

/** What a search has found. */
interface Found {
  readonly choices: readonly Choice[];
  /** Whether there is more than these. */
  readonly hasMore: boolean;
}

/** What the names of the hidden controls begin with that contain what the fields contained. */
const seenPrefix = 'seen-';

/** The most characters of an answer that a form repeats. */
const longestRepeated = 200;

/** The most rows that a search shows. */
const maximumRows = 20;

/** The saved values of a form. */
export function savedAnswers({ fields, form }: TaskData, timeZone: string): Answers {
  return new Map(fields.map((field) => [field.id, answerOf(field, form.values.get(field.id), timeZone)]));
}

/** A form with its saved values. */
export function savedForm(data: TaskData, timeZone: string): FormState {
  const nothing = new Map();
  return {
    answers: savedAnswers(data, timeZone),
    seen: nothing,
    problems: nothing,
    messages: [],
    searches: nothing,
    found: nothing,
  };
}

/** Whether a field takes what a form contains. */
export function isAnswered({ type }: Field): boolean {
  return !fileTypes.has(type);
}

/** Whether rules show or hide fields of a form. */
export function dependsOnAnswers({ form }: TaskData): boolean {
  return form.fields.some(({ id }) => form.conditional.has(id));
}

/** A form as it was sent. Fields that it did not contain have their saved values. */
export async function sentForm(request: ConsoleRequest, data: TaskData): Promise<FormState> {
  const { form, formats } = request;
  const saved = savedForm(data, formats.timeZone);
  const changed = changedIn(form, data.fields);
  const searches = new Map(
    data.fields.flatMap(({ id }) => {
      const text = form.get(searchName({ id })) ?? '';
      return text.trim() === '' ? [] : [[id, text]];
    }),
  );
  const found = new Map<string, Found>();
  const problems = new Map<string, string>();
  for (const field of data.fields.filter(({ id }) => searches.has(id))) {
    try {
      found.set(field.id, await search(request, data, field, searches.get(field.id) ?? ''));
    } catch (error) {
      problems.set(field.id, rejectionOf(error).messages.join(' '));
    }
  }
  return {
    ...saved,
    answers: new Map([...saved.answers, ...changed.map(({ field, answer }) => [field.id, answer] as const)]),
    seen: new Map(changed.map(({ field, seen }) => [field.id, seen])),
    problems,
    searches,
    found,
  };
}

/**
 * The answers of a form that the visitor has changed. What the visitor has not changed may have been changed by
 * somebody else meanwhile.
 */
export function changedIn(form: URLSearchParams, fields: readonly Field[]) {
  return fields.flatMap((field) => {
    const seen = form.get(seenName(field));
    const answer = readAnswer(form, field);
    return seen === null || seenOf(answer) === normal(seen) ? [] : [{ field, answer, seen: normal(seen) }];
  });
}

/** The answers of a form that the visitor has changed, and for which there is no field. */
export function changedElsewhere(form: URLSearchParams, fields: readonly Field[]): string[] {
  const known = new Set(fields.map(seenName));
  const unknown = [...form].filter(([name]) => name.startsWith(seenPrefix) && !known.has(name));
  return unknown.flatMap(([name, seen]) => {
    const answer = normal(form.getAll(name.slice(seenPrefix.length)).join(','));
    return answer === '' || seenOf(answer) === normal(seen) ? [] : [answer];
  });
}

/** What a form repeats of an answer that it was shown with: a hash of a long one, so that it is not sent twice. */
export function seenOf(answer: string): string {
  return answer.length <= longestRepeated ? answer : hash('sha256', answer, 'base64');
}

/** The name of the hidden control with what a field contained when its form was shown. */
export function seenName(field: Pick<Field, 'id'>): string {
  return `${seenPrefix}${controlOf(field)}`;
}

/** The name of the control with what is searched for. */
export function searchName(field: Pick<Field, 'id'>): string {
  return `search-${controlOf(field)}`;
}

async function search(
  { api, visitor }: Pick<ConsoleRequest, 'api' | 'visitor'>,
  { task }: TaskData,
  { id, type, dataSource }: Field,
  text: string,
): Promise<Found> {
  if (type === 'USER' && !isGuest(visitor)) {
    const members = await searchMembers(api, text);
    return { choices: members.map(({ id: value, name }) => ({ value, label: name })), hasMore: false };
  }
  if (!dataSource) return { choices: [], hasMore: false };
  const query = { fieldId: id, limit: maximumRows, search: text.trim().slice(0, 200) };
  const { data, hasMore } = await api.runs.tasks.formRows(task.runTaskId, query);
  return { choices: data.map(({ id: value, label }) => ({ value, label })), hasMore };
}
