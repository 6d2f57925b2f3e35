import { fieldTypes, variableTypes, type FieldType, type FieldValue } from '@runward/contract';
import test from 'ava';
import { parseValue, takenBy } from '../../src/form/index.ts';

const options = [
  { key: 's', label: 'Small' },
  { key: 'm', label: 'Medium' },
  { key: 'rw', label: 'Red, white' },
  { key: 'Small', label: 'Other' },
  { key: 'x1', label: 'Twice' },
  { key: 'x2', label: 'Twice' },
];

/** Parsed texts and their values. Other texts are only trimmed. */
const parsed: Readonly<Partial<Record<FieldType, readonly (readonly [string, FieldValue])[]>>> = {
  TEXT: [[' as it is ', ' as it is ']],
  LONG_TEXT: [[' two\nlines ', ' two\nlines ']],
  NUMBER: [
    [' 12.5 ', 12.5],
    ['-1e3', -1000],
    ['1e-400', '1e-400'],
    ['1234567890123456', '1234567890123456'],
  ],
  CHECKBOX: [
    ['true', true],
    [' Yes ', true],
    ['Y', true],
    ['FALSE', false],
    ['no', false],
    ['n', false],
  ],
  DROPDOWN: [
    [' m ', 'm'],
    ['M', 'm'],
    ['medium', 'm'],
    ['Small', 'Small'],
    ['red, white', 'rw'],
  ],
  MULTI_SELECT: [
    ['s, Medium,', ['s', 'm']],
    ['red, white', ['rw']],
    ['s,large', ['s', 'large']],
  ],
  FILE_UPLOAD: [['a, b', ['a', 'b']]],
};

for (const type of fieldTypes) {
  test(`a text for a ${type} field is parsed if it fits, and otherwise stays as it is`, (t) => {
    const field = { type, options };
    for (const [text, value] of parsed[type] ?? []) t.deepEqual(parseValue(field, text), value, text);
    for (const blank of ['', ' \n']) t.is(parseValue(field, blank), null);
    const misfit = parseValue(field, ' Infinity ');
    t.deepEqual(misfit, /TEXT/.test(type) ? ' Infinity ' : type === 'MULTI_SELECT' ? ['Infinity'] : 'Infinity');
    t.regex(takenBy(field).takes, /^[a-z]/);
  });
}

test('a text that is the label of several options is none of them', (t) => {
  t.is(parseValue({ type: 'DROPDOWN', options }, 'twice'), 'twice');
});

test('a word named like a property of every object is no value of a checkbox', (t) => {
  t.is(parseValue({ type: 'CHECKBOX' }, 'constructor'), 'constructor');
});

test('texts for flow variables are parsed by their type', (t) => {
  const texts = { TEXT: ' 5 ', NUMBER: '5', BOOLEAN: 'yes', DATE: ' 2026-03-01 ' };
  t.deepEqual(
    variableTypes.map((type) => parseValue({ type }, texts[type])),
    [' 5 ', 5, true, '2026-03-01'],
  );
});
