import type { Field } from '@runward/sdk';

/** What a field takes, by its type. Fields of other types take a text. */
const hints: Partial<Record<Field['type'], string>> = {
  NUMBER: 'a number',
  EMAIL: 'an email address',
  URL: 'an http or https URL',
  CHECKBOX: 'true or false',
  DATE: 'a date like 2026-03-01',
  DATETIME: 'a timestamp with a time zone, like 2026-03-01T09:00:00Z',
  DROPDOWN: 'one of the options',
  MULTI_SELECT: 'a list of options',
  USER: 'the email address, name or id of a member',
  FILE_UPLOAD: 'ids of files; files cannot be uploaded with these tools',
  SIGNATURE: 'the id of an image; images cannot be uploaded with these tools',
  IMAGE: 'the id of an image; images cannot be uploaded with these tools',
  DATA_SOURCE: 'the label or id of a row of its data source',
};

/** A field as a model reads it. Options are listed as `key (label)`, or only by key if it says the same. */
export function describeField({ key, label, type, required, options, helpText }: Field) {
  return {
    key,
    label,
    type,
    required,
    takes: hints[type] ?? 'a text',
    ...(options.length > 0 && { options: options.map((option) => optionText(option)) }),
    ...(helpText !== null && { help: helpText }),
  };
}

function optionText({ key, label }: Field['options'][number]): string {
  return key.toLowerCase() === label.toLowerCase() ? key : `${key} (${label})`;
}
