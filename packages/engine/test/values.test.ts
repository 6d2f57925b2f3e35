import { fieldTypes, formats, type FieldType, type FieldValue } from '@runward/contract';
import { checkValue, isFilled, type FieldDefinition } from '@runward/engine';
import test from 'ava';
import { field, options } from './support/documents.ts';

const id = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';
const other = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a71';
const long = 'a'.repeat(10_000);
const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => id.slice(0, -2) + String(index).padStart(2, '0'));
const check = (field: FieldDefinition, value: FieldValue) => checkValue(field, value, formats);

interface Examples {
  readonly valid: readonly FieldValue[];
  readonly invalid: readonly FieldValue[];
  /** What the message says about every invalid value. */
  readonly message: RegExp;
}

const text: Examples = {
  valid: ['', 'Ada', 'two\nlines', long],
  invalid: [`${long}a`, 1, true, ['Ada']],
  message: /^must be (a string|at most 10000 characters)$/,
};
const oneId: Examples = {
  valid: [id, id.toUpperCase()],
  invalid: ['', 'ada', `${id} `, `x${id}`, [id], 7],
  message: /^must be the id of a (user|file|data-source row)$/,
};

const examples: Readonly<Record<FieldType, Examples>> = {
  TEXT: text,
  LONG_TEXT: text,
  NUMBER: { valid: [0, -1.5, 1e21], invalid: ['1', NaN, Infinity, true, ['1']], message: /^must be a number, like/ },
  EMAIL: {
    valid: ['ada@example.com', "o'hara+tag@mail.example.co"],
    invalid: [
      '',
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'a b@example.com',
      'a@b@example.com',
      'ada@example..com',
      `${'a'.repeat(65)}@example.com`,
      3,
    ],
    message: /^must be an email address, like/,
  },
  URL: {
    valid: ['https://example.com', 'HTTP://example.com/a?b=c#d'],
    invalid: ['', 'example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://', `https://e.com/${long}`, 1],
    message: /^must be an http or https URL/,
  },
  PHONE: {
    valid: ['+44 20 7946 0000', '(030) 123-456', '110'],
    invalid: ['', '12', 'call me', '---', '( )', '1'.repeat(33), '12+34', 110],
    message: /^must be a phone number/,
  },
  CHECKBOX: { valid: [true, false], invalid: ['true', 1, 0, ''], message: /^must be true or false$/ },
  DATE: {
    valid: ['2026-03-01', '2024-02-29', '1900-01-01', '2999-12-31'],
    invalid: [
      '',
      '2026-02-29',
      '2026-13-01',
      '2026-3-1',
      '2026-03-01T00:00:00Z',
      '01.03.2026',
      '0000-01-01',
      '1899-12-31',
      '3000-01-01',
      20260301,
    ],
    message: /^must be a date .*, like "2026-03-01"$/,
  },
  DATETIME: {
    valid: [
      '2026-03-01T09:00:00Z',
      '2026-03-01T09:00+02:00',
      '2026-03-01T09:00:00.123456789-11:30',
      '2026-03-01t09:00:00z',
      '2026-03-01T09:00:00+0200',
    ],
    invalid: [
      '',
      '2026-03-01',
      '2026-03-01T09:00:00',
      '2026-02-30T09:00:00Z',
      '2026-03-01T25:00:00Z',
      '0000-01-01T09:00:00Z',
      '3000-01-01T00:00:00Z',
      '2999-12-31T23:00:00-05:00',
      'now',
      1,
    ],
    message: /^must be an ISO 8601 timestamp with a time zone, .*like/,
  },
  DROPDOWN: {
    valid: ['s', 'm'],
    invalid: ['', 'S', 'xl', ['s'], 0, false],
    message: /^must be one of the option keys: s, m$/,
  },
  MULTI_SELECT: {
    valid: [[], ['m'], ['m', 's']],
    invalid: ['s', ['xl'], ['s', 's'], ['s', ''], true],
    message: /^must be a list of distinct option keys out of: s, m$/,
  },
  USER: oneId,
  FILE_UPLOAD: {
    valid: [id, [id], [id, other], ids(20), []],
    invalid: ['', 'file', [id, id], [id, 'file'], ids(21), 3, false],
    message: /^must be the id of a file, or a list of at most 20 distinct file ids$/,
  },
  SIGNATURE: oneId,
  IMAGE: oneId,
  DATA_SOURCE: oneId,
};

for (const type of fieldTypes) {
  const { valid, invalid, message } = examples[type];
  const one = field('any', { type, options: options('s', 'm') });

  test(`a ${type} field accepts values of its type and null`, (t) => {
    for (const value of [null, ...valid]) t.is(check(one, value), null, JSON.stringify(value));
  });

  test(`a ${type} field rejects other values and names what it accepts`, (t) => {
    for (const value of invalid)
      t.regex(check(one, value) ?? '', message, `${JSON.stringify(value)?.slice(0, 60)} was accepted`);
  });
}

test('an option key named like a property of every object is rejected', (t) => {
  const one = field('any', { type: 'DROPDOWN', options: options('s') });
  t.regex(check(one, 'constructor') ?? '', /option keys: s$/);
});

test('a check of a long text built against its pattern takes less than a second of the processor', (t) => {
  const started = process.cpuUsage();
  for (const type of ['EMAIL', 'PHONE', 'URL', 'DATETIME'] as const) {
    for (const part of ['a', '1', '.', '@', ' ', '-', 'a.', '1 ']) {
      t.not(check(field('any', { type }), part.repeat(100_000 / part.length)), null);
    }
  }
  const { user, system } = process.cpuUsage(started);
  t.true((user + system) / 1e6 < 1);
});

test('a required field is satisfied by any value except null, blank text and an empty list', (t) => {
  for (const value of [false, 0, 'a', ['a']]) t.true(isFilled(value), JSON.stringify(value));
  for (const value of [null, '', ' \n\t', []]) t.false(isFilled(value), JSON.stringify(value));
});
