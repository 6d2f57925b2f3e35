import type { Field, FieldValue } from '@runward/contract';
import { isFilled } from '@runward/engine';
import type { Member } from '../lookup/member.ts';
import { askChoice, askChoices, askText, askYesNo, type Choice } from '../terminal/prompts.ts';
import { problem, readText, writeText } from './read-text.ts';

const none = { value: '', label: '(none)' };

const hints: Partial<Record<Field['type'], string>> = {
  NUMBER: '12.5',
  EMAIL: 'ada@example.com',
  URL: 'https://example.com',
  PHONE: '+49 30 1234567',
  DATE: '2026-03-01',
  DATETIME: '2026-03-01T09:00:00Z',
  FILE_UPLOAD: 'file ids, separated by commas',
  SIGNATURE: 'file id',
  IMAGE: 'file id',
  DATA_SOURCE: 'id of the row',
};

/** Asks a person for the value of a field; what it has now is the default. `members` are null when the key may not read them. */
export async function askField(field: Field, now: FieldValue, members: readonly Member[] | null): Promise<FieldValue> {
  const message = [field.required ? `${field.label} *` : field.label, field.helpText].filter(Boolean).join(' — ');
  switch (field.type) {
    case 'CHECKBOX':
      return askCheckbox(field, message, now);
    case 'DROPDOWN':
      return askOne(field, message, field.options.map(toChoice), now);
    case 'MULTI_SELECT': {
      const { options, required } = field;
      const initial = Array.isArray(now) ? now : [];
      const chosen = await askChoices(message, options.map(toChoice), { initial, required });
      return chosen.length > 0 ? chosen : null;
    }
    case 'USER':
      if (members)
        return askOne(
          field,
          message,
          members.map(({ id, name, email }) => ({ value: id, label: `${name} <${email}>` })),
          now,
        );
      return askLine(field, message, now);
    default:
      return askLine(field, message, now);
  }
}

async function askLine(field: Field, message: string, now: FieldValue): Promise<FieldValue> {
  const check = (text: string) => {
    const value = readText(field, text);
    if (field.required && !isFilled(value)) return 'A value is required.';
    return problem(field, value) ?? undefined;
  };
  const hint = hints[field.type];
  const options = { check, ...(now !== null && { initial: writeText(now) }), ...(hint !== undefined && { hint }) };
  return readText(field, await askText(message, options));
}

async function askCheckbox(field: Field, message: string, now: FieldValue): Promise<FieldValue> {
  if (field.required) return askYesNo(message, now === true);
  const choices = [none, { value: 'yes', label: 'Yes' }, { value: 'no', label: 'No' }];
  return readText(field, await askChoice(message, choices, now === null ? '' : now === true ? 'yes' : 'no'));
}

async function askOne(field: Field, message: string, choices: readonly Choice[], now: FieldValue) {
  const all = field.required ? choices : [none, ...choices];
  const initial = typeof now === 'string' ? now : field.required ? undefined : '';
  return readText(field, await askChoice(message, all, initial));
}

function toChoice({ key, label }: Field['options'][number]): Choice {
  return { value: key, label };
}
