import type { Client, Field, FieldValue } from '@runward/sdk';
import { readValue } from '@runward/sdk/form';
import { instantOf, localTime } from '../../../calendar.ts';
import { localTimeProblem } from '../local-time.ts';

/** What forms contain for the fields of a task, by the id of the field. A list is one text, with commas. */
export type Answers = ReadonlyMap<string, string>;

/** Types whose values are files, which forms do not contain. */
export const fileTypes: ReadonlySet<Field['type']> = new Set(['FILE_UPLOAD', 'IMAGE', 'SIGNATURE']);

/** The name and the id of the control of a field. */
export function controlOf({ id }: Pick<Field, 'id'>): string {
  return `f-${id}`;
}

/** What a form contains for a value. Times are those of the organization. */
export function answerOf(
  { type, options }: Pick<Field, 'type' | 'options'>,
  value: FieldValue | undefined,
  timeZone: string,
): string {
  if (type === 'CHECKBOX') return String(value === true);
  if (value === undefined || value === null) return '';
  if (type === 'MULTI_SELECT') {
    // Boxes arrive in the order of the options.
    const chosen = new Set([value].flat().map(String));
    return options.flatMap(({ key }) => (chosen.has(key) ? [key] : [])).join(',');
  }
  if (type === 'DATETIME') return localTime(String(value), timeZone);
  return normal(String(value));
}

/** Reads what was entered for a field. */
export function readAnswer(form: URLSearchParams, field: Field): string {
  if (field.type === 'CHECKBOX') return String(form.has(controlOf(field)));
  return normal(form.getAll(controlOf(field)).join(','));
}

/** Browsers send the lines of a text with carriage returns, and show texts without them. */
export function normal(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** A value, or why there is none. */
export type Reading = { readonly value: FieldValue } | { readonly problem: string };

/** Reads the value for a field from what was entered. */
export async function valueOf(api: Client, field: Field, answer: string, timeZone: string): Promise<Reading> {
  if (answer.trim() === '') return { value: null };
  if (field.type === 'DATETIME') {
    const value = instantOf(answer, timeZone);
    if (value !== undefined) return { value };
    return { problem: `"${field.label}" ${localTimeProblem(timeZone)}` };
  }
  const given = field.type === 'MULTI_SELECT' ? answer.split(',') : answer;
  // The form has offered ids of members and rows, so that a name is not searched for.
  if (field.type === 'USER' || field.type === 'DATA_SOURCE') return { value: answer };
  return { value: await readValue(api, field, given) };
}
