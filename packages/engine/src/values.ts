import type { FieldType, FieldValue } from '@runward/contract';
import type { Formats } from './environment.ts';
import { maximumFiles } from './files.ts';
import type { FieldDefinition } from './process.ts';

const maximumLength = 10_000;
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

const textTypes: ReadonlySet<FieldType> = new Set(['TEXT', 'LONG_TEXT', 'EMAIL', 'URL', 'PHONE']);

/** Returns null if the value fits, otherwise the rest of a sentence that begins with the label of the field. */
type Check = (value: FieldValue, field: FieldDefinition, formats: Formats) => string | null;

const matching =
  (fits: (text: string, formats: Formats) => boolean, problem: string): Check =>
  (value, _, formats) =>
    typeof value === 'string' && value.length <= maximumLength && fits(value, formats) ? null : problem;

const text: Check = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  return value.length > maximumLength ? `must be at most ${maximumLength} characters` : null;
};

const number: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number, like 12.5';

const checkbox: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false');

const date = matching(
  (value, { isDate }) => isDate(value),
  'must be a date between the years 1900 and 2999, like "2026-03-01"',
);

const dateTime = matching(
  (value, { isDate }) => timestamp.test(value) && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)),
  'must be an ISO 8601 timestamp with a time zone, between the years 1900 and 2999, like "2026-03-01T09:00:00Z"',
);

const email = matching((value, { isEmail }) => isEmail(value), 'must be an email address, like "ada@example.com"');

const url = matching(
  (value, { isWebUrl }) => isWebUrl(value),
  'must be an http or https URL of at most 2048 characters, like "https://example.com"',
);

const phone = matching(
  (value) => /^(?=\D*\d)\+?[\d\s().-]{3,31}$/.test(value),
  'must be a phone number: digits, spaces and + ( ) . -',
);

const idOf = (kind: string) => matching((value, { isId }) => isId(value), `must be the id of a ${kind}`);

const option: Check = (value, { options }) =>
  options.some(({ key }) => key === value) ? null : `must be one of the option keys: ${keysOf(options)}`;

const optionList: Check = (value, { options }) =>
  Array.isArray(value) && isDistinct(value) && value.every((one) => options.some(({ key }) => key === one))
    ? null
    : `must be a list of distinct option keys out of: ${keysOf(options)}`;

const files: Check = (value, _, { isId }) => {
  const ids = Array.isArray(value) ? value : [value];
  const fits = ids.length <= maximumFiles && isDistinct(ids) && ids.every((id) => typeof id === 'string' && isId(id));
  return fits ? null : `must be the id of a file, or a list of at most ${maximumFiles} distinct file ids`;
};

const checks: Readonly<Record<FieldType, Check>> = {
  TEXT: text,
  LONG_TEXT: text,
  NUMBER: number,
  EMAIL: email,
  URL: url,
  PHONE: phone,
  CHECKBOX: checkbox,
  DATE: date,
  DATETIME: dateTime,
  DROPDOWN: option,
  MULTI_SELECT: optionList,
  USER: idOf('user'),
  FILE_UPLOAD: files,
  SIGNATURE: idOf('file'),
  IMAGE: idOf('file'),
  DATA_SOURCE: idOf('data-source row'),
};

/**
 * Checks a value for a field. Returns null if it fits, otherwise what is wrong, to be put behind the label of the field: `must be a
 * number, like 12.5`. Null clears a field of any type.
 */
export function checkValue(field: FieldDefinition, value: FieldValue, formats: Formats): string | null {
  return value === null ? null : checks[field.type](value, field, formats);
}

/**
 * Whether a value that fitted a field of type `was` fits the field as it is now: the type is the same, or text that has become any text,
 * and the choices are still options.
 */
export function stillFits({ type, options }: FieldDefinition, was: FieldType, value: FieldValue): boolean {
  if (value === null) return true;
  const isText = textTypes.has(was) && (type === 'TEXT' || type === 'LONG_TEXT');
  if (type !== was && !isText) return false;
  const isOption = (one: FieldValue) => options.some(({ key }) => key === one);
  if (type === 'DROPDOWN') return isOption(value);
  return type !== 'MULTI_SELECT' || (Array.isArray(value) && value.every(isOption));
}

/** Whether a value satisfies a required field; false does. */
export function isFilled(value: FieldValue): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : value !== null;
}

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function keysOf(options: FieldDefinition['options']): string {
  return options.map(({ key }) => key).join(', ');
}
