import test from 'ava';
import { fault, isFilled } from '@runward/engine';
import { fieldTypes, type FieldType, type FieldValue } from '@runward/contract';
import { field, options } from './support/documents.ts';

const id = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';
const other = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a71';
const long = 'a'.repeat(10_000);
const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => id.slice(0, -2) + String(index).padStart(2, '0'));

interface Shape {
  readonly good: readonly FieldValue[];
  readonly bad: readonly FieldValue[];
  /** What the rejection must tell. */
  readonly takes: RegExp;
}

const text: Shape = {
  good: ['', 'Ada', 'two\nlines', long],
  bad: [`${long}a`, 1, true, ['Ada']],
  takes: /string|10000/,
};
const oneId: Shape = {
  good: [id, id.toUpperCase()],
  bad: ['', 'ada', `${id} `, `x${id}`, [id], 7],
  takes: /an? .*id\.$/,
};

const shapes: Readonly<Record<FieldType, Shape>> = {
  TEXT: text,
  LONG_TEXT: text,
  NUMBER: { good: [0, -1.5, 1e21], bad: ['1', NaN, Infinity, true, ['1']], takes: /a number, like/ },
  EMAIL: {
    good: ['ada@example.com', "o'hara+tag@mail.example.co"],
    bad: [
      '',
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'a b@example.com',
      'a@b@example.com',
      'ada@example..com',
      3,
    ],
    takes: /an email address, like/,
  },
  URL: {
    good: ['https://example.com', 'HTTP://example.com/a?b=c#d'],
    bad: ['', 'example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://', `https://e.com/${long}`, 1],
    takes: /an http or https URL/,
  },
  PHONE: {
    good: ['+44 20 7946 0000', '(030) 123-456', '110'],
    bad: ['', '12', 'call me', '---', '( )', '1'.repeat(33), '12+34', 110],
    takes: /a phone number/,
  },
  CHECKBOX: { good: [true, false], bad: ['true', 1, 0, ''], takes: /true or false/ },
  DATE: {
    good: ['2026-03-01', '2024-02-29'],
    bad: ['', '2026-02-29', '2026-13-01', '2026-3-1', '2026-03-01T00:00:00Z', '01.03.2026', 20260301],
    takes: /a date, like "2026-03-01"/,
  },
  DATETIME: {
    good: ['2026-03-01T09:00:00Z', '2026-03-01T09:00+02:00', '2026-03-01T09:00:00.123456-11:30'],
    bad: ['', '2026-03-01', '2026-03-01T09:00:00', '2026-02-30T09:00:00Z', '2026-03-01T25:00:00Z', 'now', 1],
    takes: /with a time zone, like/,
  },
  DROPDOWN: { good: ['s', 'm'], bad: ['', 'S', 'xl', ['s'], 0, false], takes: /one of these option keys: s, m\./ },
  MULTI_SELECT: {
    good: [[], ['m'], ['m', 's']],
    bad: ['s', ['xl'], ['s', 's'], ['s', ''], true],
    takes: /different option keys out of: s, m\./,
  },
  USER: oneId,
  FILE_UPLOAD: {
    good: [id, [id], [id, other], ids(20), []],
    bad: ['', 'file', [id, id], [id, 'file'], ids(21), 3, false],
    takes: /a file id, or a list of up to 20/,
  },
  SIGNATURE: oneId,
  IMAGE: oneId,
  DATA_SOURCE: oneId,
};

for (const type of fieldTypes) {
  const { good, bad, takes } = shapes[type];
  const one = field('any', { type, options: options('s', 'm') });

  test(`${type} takes its values and null`, (t) => {
    for (const value of [null, ...good]) t.is(fault(one, value), null, JSON.stringify(value));
  });

  test(`${type} refuses other values and tells what it takes`, (t) => {
    for (const value of bad)
      t.regex(fault(one, value) ?? '', takes, `${JSON.stringify(value)?.slice(0, 60)} was taken`);
  });
}

test('an option is not looked up among the names every object has', (t) => {
  const one = field('any', { type: 'DROPDOWN', options: options('s') });
  t.regex(fault(one, 'constructor') ?? '', /option keys: s\./);
});

test('hostile text does not hold a check up', (t) => {
  const started = performance.now();
  for (const type of ['EMAIL', 'PHONE', 'URL', 'DATETIME'] as const) {
    for (const part of ['a', '1', '.', '@', ' ', '-', 'a.', '1 ']) {
      t.not(fault(field('any', { type }), part.repeat(100_000 / part.length)), null);
    }
  }
  t.true(performance.now() - started < 1000);
});

test('an answer is anything but nothing, blank text and an empty list', (t) => {
  for (const value of [false, 0, 'a', ['a']]) t.true(isFilled(value), JSON.stringify(value));
  for (const value of [null, '', ' \n\t', []]) t.false(isFilled(value), JSON.stringify(value));
});
