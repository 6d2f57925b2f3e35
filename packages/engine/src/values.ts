import type { FieldType, FieldValue } from '@runward/contract';
import type { FieldDefinition } from './process.ts';

const longestText = 10_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** A check of one kind of value: null where it fits, else the end of a sentence that begins with the field's label. */
type Check = (value: FieldValue, field: FieldDefinition) => string | null;

const matches =
  (pattern: RegExp, problem: string): Check =>
  (value) =>
    typeof value === 'string' && value.length <= longestText && pattern.test(value) ? null : problem;

const text: Check = (value) => {
  if (typeof value !== 'string') return 'takes a string.';
  return value.length > longestText ? `takes at most ${longestText} characters.` : null;
};

const number: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? null : 'takes a number, like 12.5.';

const checkbox: Check = (value) => (typeof value === 'boolean' ? null : 'takes true or false.');

const date: Check = (value) => (isDate(value) ? null : 'takes a date, like "2026-03-01".');

const dateTime: Check = (value) =>
  typeof value === 'string' && instant.test(value) && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
    ? null
    : 'takes an ISO 8601 timestamp with a time zone, like "2026-03-01T09:00:00Z".';

const link: Check = (value) =>
  typeof value === 'string' && value.length <= 2048 && /^https?:\/\//i.test(value) && URL.canParse(value)
    ? null
    : 'takes an http or https URL of at most 2048 characters.';

const option: Check = (value, { options }) =>
  options.some(({ key }) => key === value) ? null : `takes one of these option keys: ${keysOf(options)}.`;

const optionList: Check = (value, { options }) =>
  Array.isArray(value) && isDistinct(value) && value.every((one) => options.some(({ key }) => key === one))
    ? null
    : `takes a list of different option keys out of: ${keysOf(options)}.`;

const fileList: Check = (value) => {
  const ids = Array.isArray(value) ? value : [value];
  const fits = ids.length <= 20 && isDistinct(ids) && ids.every((id) => typeof id === 'string' && uuid.test(id));
  return fits ? null : 'takes a file id, or a list of up to 20 different file ids.';
};

const checks: Readonly<Record<FieldType, Check>> = {
  TEXT: text,
  LONG_TEXT: text,
  NUMBER: number,
  EMAIL: matches(/^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/, 'takes an email address, like "ada@example.com".'),
  URL: link,
  PHONE: matches(/^(?=\D*\d)\+?[\d\s().-]{3,31}$/, 'takes a phone number of digits, spaces and + ( ) . -'),
  CHECKBOX: checkbox,
  DATE: date,
  DATETIME: dateTime,
  DROPDOWN: option,
  MULTI_SELECT: optionList,
  USER: matches(uuid, 'takes a user id.'),
  FILE_UPLOAD: fileList,
  SIGNATURE: matches(uuid, 'takes a file id.'),
  IMAGE: matches(uuid, 'takes a file id.'),
  DATA_SOURCE: matches(uuid, 'takes a data-source row id.'),
};

/** What is wrong with a value for a field, or null. Null clears a field of any type. */
export function fault(field: FieldDefinition, value: FieldValue): string | null {
  return value === null ? null : checks[field.type](value, field);
}

/** Whether a value counts as an answer to a required field; false is an answer. */
export function isFilled(value: FieldValue): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : value !== null;
}

function isDate(value: FieldValue): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  // 2026-02-30 would silently become 2 March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function keysOf(options: FieldDefinition['options']): string {
  return options.map(({ key }) => key).join(', ');
}
