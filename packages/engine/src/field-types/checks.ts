import type { Formats } from '../environment.ts';
import { maximumFiles } from '../files.ts';
import type { FieldOption } from '../process.ts';
import { isLongerThan } from '../text.ts';
import type { Check } from './field-type.ts';

const maximumLength = 10_000;

/** Any text up to the length that a value can have. */
export const text: Check = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  return isLongerThan(value, maximumLength) ? `must be at most ${maximumLength} characters` : null;
};

/** Checks that a text has a format. `problem` says what the value must be. */
export const matching =
  (problem: string, fits: (text: string, formats: Formats) => boolean): Check =>
  (value, _, formats) =>
    typeof value === 'string' && !isLongerThan(value, maximumLength) && fits(value, formats) ? null : problem;

/** A number; JSON has no infinite ones. */
export const number: Check = (value) => (Number.isFinite(value) ? null : 'must be a number, like 12.5');

/** True or false. */
export const boolean: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false');

/** Checks the id of a record; `kind` is the word for the record in messages. */
export const idOf = (kind: string) => matching(`must be the id of a ${kind}`, (value, { isId }) => isId(value));

/** The key of an option. */
export const option: Check = (value, options) =>
  options.some(({ key }) => key === value) ? null : `must be one of the option keys: ${keysOf(options)}`;

/** A list of keys of options. */
export const optionList: Check = (value, options) =>
  Array.isArray(value) && isDistinct(value) && value.every((one) => options.some(({ key }) => key === one))
    ? null
    : `must be a list of distinct option keys out of: ${keysOf(options)}`;

/** The id of a file, or a list of ids. */
export const files: Check = (value, _, { isId }) => {
  const ids = [value].flat();
  const fits = ids.length <= maximumFiles && isDistinct(ids) && ids.every((id) => typeof id === 'string' && isId(id));
  return fits ? null : `must be the id of a file, or a list of at most ${maximumFiles} distinct file ids`;
};

function isDistinct(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function keysOf(options: readonly FieldOption[]): string {
  return options.map(({ key }) => key).join(', ');
}
