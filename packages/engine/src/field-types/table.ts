import type { FieldType, FieldValue, VariableType } from '@runward/contract';
import { boolean, files, idOf, matching, number, option, optionList, text } from './checks.ts';
import type { FieldTypeTraits, Referent } from './field-type.ts';

/** A valid id that does not occur in conditions, unless somebody wrote it there on purpose. */
export const someId = '00000000-0000-4000-8000-000000000001';

/** A timestamp of RFC 3339, with or without seconds, is stored as it is; one in another notation is stored in UTC. */
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

const freeText: FieldTypeTraits = {
  check: text,
  comparison: 'text',
  sample: 'other',
  isFreeText: true,
  filledFrom: ['TEXT', 'NUMBER', 'DATE', 'DATETIME', 'STATUS'],
};

/** A text in a format. Conditions may compare it with partial texts, which do not need the format. */
const formatted = { comparison: 'text', checkOperand: text, filledFrom: ['TEXT'] } as const;

const yesOrNo: FieldTypeTraits = {
  check: boolean,
  comparison: 'boolean',
  sample: true,
  filledFrom: ['BOOLEAN'],
  show: (value) => (value === true ? 'Yes' : 'No'),
};

/** Ids may be sent in upper case, and are stored in lower case. */
const ids = { sample: someId, stored: lowerCased } as const;

const image: FieldTypeTraits = { ...ids, check: idOf('file'), comparison: 'presence', refersTo: 'file' };

/** All types of fields and of flow variables. Both have the same kinds of values. */
const table: Readonly<Record<FieldType | VariableType, FieldTypeTraits>> = {
  TEXT: freeText,
  LONG_TEXT: freeText,
  NUMBER: { check: number, comparison: 'number', sample: 1, filledFrom: ['NUMBER'] },
  EMAIL: {
    ...formatted,
    check: matching('must be an email address, like "ada@example.com"', (value, { isEmail }) => isEmail(value)),
    sample: 'other@example.com',
    containing: (part) => [
      part,
      `a${part}`,
      `${part}@b.cd`,
      `${part}b.cd`,
      `a@${part}`,
      `a@${part}.cd`,
      `a@b.${part}`,
      `a@b${part}`,
    ],
  },
  URL: {
    ...formatted,
    check: matching(
      'must be an http or https URL of at most 2048 characters, like "https://example.com"',
      (value, { isWebUrl }) => isWebUrl(value),
    ),
    sample: 'https://example.com/other',
    containing: (part) => [
      part,
      `https://${part}`,
      `https://a.bc/${part}`,
      `https://a.bc${part}`,
      `${part}a.bc`,
      `https${part}`,
    ],
  },
  PHONE: {
    ...formatted,
    check: matching('must be a phone number: digits, spaces and + ( ) . -', (value) =>
      /^(?=\D*\d)\+?[\d\s().-]{3,31}$/.test(value),
    ),
    sample: '+49 30 5550100',
    containing: (part) => [part, `${part}0`, `${part} 000000`, `0${part}`, `000000 ${part}`],
  },
  CHECKBOX: yesOrNo,
  BOOLEAN: yesOrNo,
  DATE: {
    check: matching('must be a date between the years 1900 and 2999, like "2026-03-01"', (value, { isDate }) =>
      isDate(value),
    ),
    comparison: 'date',
    sample: '2026-03-01',
    filledFrom: ['DATE'],
    show: (value, display) => display.date(String(value)),
  },
  DATETIME: {
    check: matching(
      'must be an ISO 8601 timestamp with a time zone, between the years 1900 and 2999, like "2026-03-01T09:00:00Z"',
      (value, { utc }) => utc(value) !== null,
    ),
    stored: (value, { utc }) => (typeof value === 'string' && !timestamp.test(value) ? (utc(value) ?? value) : value),
    comparison: 'date',
    sample: '2026-03-01T09:00:00.000Z',
    filledFrom: ['DATETIME'],
    show: (value, display) => display.dateTime(String(value)),
  },
  DROPDOWN: { check: option, comparison: 'choice', sample: null, refersTo: 'option', filledFrom: ['STATUS'] },
  MULTI_SELECT: {
    check: optionList,
    checkOperand: option,
    comparison: 'list',
    sample: null,
    refersTo: 'option',
    isList: true,
  },
  USER: { ...ids, check: idOf('user'), comparison: 'choice', refersTo: 'member' },
  FILE_UPLOAD: { ...ids, check: files, comparison: 'presence', refersTo: 'file', isList: true },
  SIGNATURE: image,
  IMAGE: image,
  DATA_SOURCE: { ...ids, check: idOf('data-source row'), comparison: 'choice', refersTo: 'row' },
};

function lowerCased(value: FieldValue): FieldValue {
  const lower = <One>(one: One) => (typeof one === 'string' ? one.toLowerCase() : one);
  return Array.isArray(value) ? value.map(lower) : lower(value);
}

/** What is particular to a type of fields or flow variables. */
export function traitsOf(type: FieldType | VariableType): FieldTypeTraits {
  return table[type];
}

/** The types whose values refer to such a record, as messages list them: `SIGNATURE and IMAGE`. */
export function typesFor(referent: Referent, conjunction: 'and' | 'or'): string {
  const types = Object.entries(table).flatMap(([type, { refersTo }]) => (refersTo === referent ? [type] : []));
  return types.join(', ').replace(/, (?=\w+$)/, ` ${conjunction} `);
}
