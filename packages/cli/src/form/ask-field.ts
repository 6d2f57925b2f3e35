import type { Field, FieldValue } from '@runward/contract';
import { isFilled } from '@runward/engine';
import type { User } from '@runward/sdk';
import type { Choice, Prompts } from '../terminal/prompts.ts';
import { formatValue, parseValue, valueError } from './field-text.ts';

/** A field to ask for, how, and its current value, which is the default. */
export interface Question {
  readonly field: Field;
  readonly message: string;
  readonly current: FieldValue;
}

const none = { value: '', label: '(none)' };

const hints: Partial<Record<Field['type'], string>> = {
  NUMBER: '12.5',
  EMAIL: 'ada@example.com',
  URL: 'https://example.com',
  PHONE: '+49 30 1234567',
  DATE: '2026-03-01',
  DATETIME: '2026-03-01T09:00:00Z',
  DATA_SOURCE: 'row ID',
};

/** Asks for the value of a field. `members` is null if the API key cannot read them. */
export async function askField(
  prompts: Prompts,
  question: Question,
  members: readonly User[] | null,
): Promise<FieldValue> {
  const { field, current } = question;
  switch (field.type) {
    case 'CHECKBOX':
      return askCheckbox(prompts, question);
    case 'DROPDOWN':
      return askOne(prompts, question, field.options.map(toChoice));
    case 'MULTI_SELECT': {
      const { options, required } = field;
      const initial = Array.isArray(current) ? current : [];
      const chosen = await prompts.choices(question.message, options.map(toChoice), { initial, required });
      return chosen.length > 0 ? chosen : null;
    }
    case 'USER': {
      if (!members) return askLine(prompts, question);
      const choices = members.map(({ id, name, email }) => ({ value: id, label: `${name} <${email}>` }));
      return askOne(prompts, question, choices);
    }
    default:
      return askLine(prompts, question);
  }
}

async function askLine(prompts: Prompts, { field, message, current }: Question): Promise<FieldValue> {
  const check = (text: string) => {
    const value = parseValue(field, text);
    if (field.required && !isFilled(value)) return 'A value is required.';
    return valueError(field, value) ?? undefined;
  };
  const hint = hints[field.type];
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

function toChoice({ key, label }: Field['options'][number]): Choice {
  return { value: key, label };
}
