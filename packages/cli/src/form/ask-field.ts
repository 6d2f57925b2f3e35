import type { Field, FieldValue } from '@runward/contract';
import { isFilled, traitsOf } from '@runward/engine';
import type { User } from '@runward/sdk';
import { parseValue, takenBy } from '@runward/sdk/form';
import type { Choice, Prompts } from '../terminal/prompts.ts';
import { formatValue, valueError } from './field-text.ts';

/** A field to ask for, and its current value, which is the default. */
export interface Question {
  readonly field: Field;
  readonly message: string;
  readonly current: FieldValue;
}

const none = { value: '', label: '(none)' };

/** Asks for the value of a field. `members` is null if the API key cannot read them. */
export async function askField(
  prompts: Prompts,
  question: Question,
  members: readonly User[] | null,
): Promise<FieldValue> {
  const { comparison, refersTo, isList } = traitsOf(question.field.type);
  if (comparison === 'boolean') return askCheckbox(prompts, question);
  if (refersTo === 'option') {
    const choices = question.field.options.map(({ key, label }) => ({ value: key, label }));
    return isList ? askSeveral(prompts, question, choices) : askOne(prompts, question, choices);
  }
  if (refersTo !== 'member' || !members) return askLine(prompts, question);
  const choices = members.map(({ id, name, email }) => ({ value: id, label: `${name} <${email}>` }));
  return askOne(prompts, question, choices);
}

async function askLine(prompts: Prompts, { field, message, current }: Question): Promise<FieldValue> {
  const check = (text: string) => {
    const value = parseValue(field, text);
    if (field.required && !isFilled(value)) return 'A value is required.';
    return valueError(field, value) ?? undefined;
  };
  const { example: hint } = takenBy(field);
  const initial = current === null ? {} : { initial: formatValue(current) };
  return parseValue(field, await prompts.text(message, { check, ...initial, ...(hint !== undefined && { hint }) }));
}

async function askCheckbox(prompts: Prompts, { field, message, current }: Question): Promise<FieldValue> {
  if (field.required) return prompts.yesNo(message, current === true);
  const choices = [none, { value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }];
  const initial = current === null ? '' : current === true ? 'yes' : 'no';
  return parseValue(field, await prompts.choice(message, choices, initial));
}

async function askOne(
  prompts: Prompts,
  { field, message, current }: Question,
  choices: readonly Choice[],
): Promise<FieldValue> {
  const all = field.required ? choices : [none, ...choices];
  const initial = typeof current === 'string' ? current : field.required ? undefined : '';
  return parseValue(field, await prompts.choice(message, all, initial));
}

async function askSeveral(
  prompts: Prompts,
  { field: { required }, message, current }: Question,
  choices: readonly Choice[],
): Promise<FieldValue> {
  const chosen = await prompts.choices(message, choices, { initial: Array.isArray(current) ? current : [], required });
  return chosen.length > 0 ? chosen : null;
}
